# bash completion of bcastcli
# completions/generate.py fills the block marked "from the app"; the rest is edited here.

# What a command offers, in variables of the caller: its options, each with its names and, after =,
# its values, after a comma if it takes a list; and the values of each of its arguments.
_bcastcli_offer() {
    options=() arguments=()
    case $1 in
        # from the app: commands
        '')
            options=(
                '-V --version'
                '-h --help'
            )
            arguments=('numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why run compare op check model deck rules quiz help completions <frameworks>')
            ;;
        pdpd)
            options=(
                '--steps'
                '--picture'
                '--until = align compare stretch result'
                '--op ='
                '--step'
                '--no-values'
                '--title ='
                '--theme = light dark'
                '-q --quiet'
                '-f --format = table plain json tsv markdown svg html'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '--strict'
                '--max-elements ='
                '--axis ='
                '-V --version'
                '-h --help'
            )
            arguments=('')
            ;;
        ncnn | binaryop | pnnx)
            options=(
                '--steps'
                '--picture'
                '--until = align compare stretch result'
                '--op ='
                '--step'
                '--no-values'
                '--title ='
                '--theme = light dark'
                '-q --quiet'
                '-f --format = table plain json tsv markdown svg html'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '--strict'
                '--max-elements ='
                '--order = ncnn numpy'
                '-V --version'
                '-h --help'
            )
            arguments=('')
            ;;
        explicit | stablehlo | xla | broadcast_in_dim)
            options=(
                '--steps'
                '--picture'
                '--until = align compare stretch result'
                '--op ='
                '--step'
                '--no-values'
                '--title ='
                '--theme = light dark'
                '-q --quiet'
                '-f --format = table plain json tsv markdown svg html'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '--strict'
                '--max-elements ='
                '--axes ='
                '-V --version'
                '-h --help'
            )
            arguments=('')
            ;;
        why)
            options=(
                '--tee'
                '--steps'
                '--picture'
                '-q --quiet'
                '-f --format = table plain json tsv markdown svg html'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '-V --version'
                '-h --help'
            )
            arguments=('')
            ;;
        run)
            options=(
                '-f --format = table json'
                '--json'
                '-V --version'
                '-h --help'
            )
            arguments=('<files>...')
            ;;
        compare)
            options=(
                '--rules =, numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit'
                '--axis ='
                '--batch = drop keep'
                '--all'
                '--steps'
                '--picture'
                '--until = align compare stretch result'
                '--op ='
                '--step'
                '--no-values'
                '--title ='
                '--theme = light dark'
                '-q --quiet'
                '-f --format = table plain json tsv markdown svg html'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '-V --version'
                '-h --help'
            )
            arguments=('')
            ;;
        op)
            options=(
                '--opset ='
                '--axis ='
                '--q-num-heads ='
                '--kv-num-heads ='
                '--trans-a'
                '--trans-b'
                '--steps'
                '--picture'
                '--until = align compare stretch result'
                '--op ='
                '--step'
                '--no-values'
                '--title ='
                '--theme = light dark'
                '-q --quiet'
                '-f --format = table plain json tsv markdown svg html'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '-V --version'
                '-h --help'
            )
            arguments=('Add And Attention BitShift BitwiseAnd BitwiseOr BitwiseXor Div Einsum Equal Expand Gemm Greater GreaterOrEqual LayerNormalization Less LessOrEqual MatMul MatMulInteger Max Mean Min Mod Mul Or PRelu Pow QLinearMatMul RMSNormalization StringConcat Sub Sum SwiGLU Where Xor AveragePool BatchNormalization Concat Conv ConvInteger ConvTranspose DepthToSpace DequantizeLinear GRU Gather GatherElements GatherND GridSample GroupNormalization InstanceNormalization LSTM LpPool MaxPool NonMaxSuppression OneHot Pad QLinearConv QuantizeLinear RNN Reshape RotaryEmbedding RoiAlign ScatterElements ScatterND Slice SpaceToDepth Split Squeeze Tile TopK Transpose' '')
            ;;
        check)
            options=(
                '--rule = numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit <frameworks>'
                '--allow-empty'
                '--markdown'
                '--max-fail ='
                '-f --format = plain json github'
                '-q --quiet'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '-V --version'
                '-h --help'
            )
            arguments=('<files>...')
            ;;
        model)
            options=(
                '--all'
                '--only = no depends stretch undecided'
                '--operator ='
                '--name ='
                '-f --format = table plain lines json tsv markdown github'
                '-q --quiet'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '--rules =, numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit'
                '--batch = drop keep'
                '--strict'
                '--max-elements ='
                '-V --version'
                '-h --help'
            )
            arguments=('<files>' '')
            ;;
        deck)
            options=(
                '-o --output = <files>'
                '--build'
                '--theme = light dark'
                '-V --version'
                '-h --help'
            )
            arguments=('<files>')
            ;;
        rules)
            options=(
                '-f --format = table plain json tsv markdown svg html'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '-V --version'
                '-h --help'
            )
            arguments=('numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit <frameworks>')
            ;;
        quiz)
            options=(
                '--rule = numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit <frameworks>'
                '--level = mixed missing-axes ones both-sides several-operands symbols other-rules'
                '--count ='
                '--seed ='
                '--sheet'
                '--key = none only below'
                '-f --format = text markdown html gift'
                '--slides'
                '--color = auto always never'
                '-V --version'
                '-h --help'
            )
            arguments=()
            ;;
        help)
            options=(
                '-V --version'
                '-h --help'
            )
            arguments=('topics numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why run compare op check model deck rules quiz help completions formats pipes reference shapes teaching json-schema advice changelog development engines exit json messages performance python quoting stability')
            ;;
        completions)
            options=(
                '-V --version'
                '-h --help'
            )
            arguments=('bash zsh fish')
            ;;
        *)
            options=(
                '--steps'
                '--picture'
                '--until = align compare stretch result'
                '--op ='
                '--step'
                '--no-values'
                '--title ='
                '--theme = light dark'
                '-q --quiet'
                '-f --format = table plain json tsv markdown svg html'
                '--json'
                '-p --plain'
                '--color = auto always never'
                '--strict'
                '--max-elements ='
                '-V --version'
                '-h --help'
            )
            arguments=('')
            ;;
        # end
    esac
}

# Count an option as given: it is not offered again, and if it takes a value, that is awaited.
_bcastcli_give() {
    local i name=${1%%=*}
    [[ $name != -[!-]* ]] || name=${name:0:2}
    for i in "${!options[@]}"; do
        if [[ " ${options[i]%%=*} " == *" $name "* ]]; then
            [[ ${options[i]} != *=* ]] || awaited=$name values=${options[i]#*=}
            unset "options[i]"
            return
        fi
    done
}

_bcastcli() {
    local IFS=$' \t\n' options arguments frameworks i word words
    local current=$2 command='' place=0 only_arguments='' awaited='' values='' before='' chosen=''
    # from the app: frameworks
    frameworks='np torch pytorch jax tensorflow tf keras tflite litert mlx tinygrad triton tvm cupy dask paddle paddlepaddle openvino ngraph coreml coremltools mil webnn pytensor pymc mxnet tensorflowjs tfjs ndarray numba mnn mps executorch mindspore gpytorch mathjs ttnn onnxruntime ort multidirectional tract unidirectional onnx-unidirectional binaryop pnnx julia matlab octave rray tensorrt trt tosa burn stablehlo xla broadcast_in_dim'
    # end
    COMPREPLY=()
    _bcastcli_offer ''

    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $awaited ]]; then
            # Readline takes --format=json for three words.
            [[ $word == = ]] || awaited=''
        elif [[ $word == -- && ! $only_arguments ]]; then
            only_arguments=yes
        elif [[ $word == -* && ! $only_arguments ]]; then
            _bcastcli_give "$word"
            # Otherwise it has its value: -fjson, or --format=json where = breaks no words.
            [[ $word == "$awaited" ]] || awaited=''
        elif [[ ! $command ]]; then
            command=$word only_arguments=''
            _bcastcli_offer "$command"
        else
            ((place += 1))
        fi
    done

    if [[ ! $awaited && ! $only_arguments ]]; then
        case $current in
            --*=*) before=${current%%=*}= ;;
            -[!-]?*) before=${current:0:2} ;;
        esac
        [[ ! $before ]] || _bcastcli_give "$current"
    fi
    if [[ $awaited ]]; then
        words=$values current=${current#"$before"}
        if [[ $values == ,* ]]; then
            chosen=${current%"${current##*,}"}
            words=${values#,} before+=$chosen current=${current##*,}
        fi
    elif [[ $current == -* && ! $only_arguments ]]; then
        words=${options[*]%%=*}
    else
        words=${arguments[place]-}
        [[ ${arguments[*]-} != *... ]] || words=${arguments[*]}
        # Where there is nothing else to offer, the options are.
        [[ $words || $current || $only_arguments || ! $command ]] || words=${options[*]%%=*}
    fi
    if [[ $words == *'<files>'* ]]; then
        while IFS= read -r word; do
            COMPREPLY+=("$before$word")
        done < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
        return
    fi
    [[ $words == *'<frameworks>' ]] || frameworks=''
    for words in "${words%'<frameworks>'}" "$frameworks"; do
        [[ ! ${COMPREPLY[*]-} ]] || break
        for word in $words; do
            [[ $word != "$current"* || ,$chosen == *,"$word",* ]] || COMPREPLY+=("$before$word")
        done
    done
}

complete -F _bcastcli bcastcli
