# fish completion of bcastcli
# completions/generate.py fills the blocks marked "from the app"; the rest is edited here.

# The options whose value is the next word.
# from the app: values
set -g __bcastcli_take_a_value --dtype --until --op --title --theme -f --format --color --max-elements --axis --order --axes --rules --opset --rule --max-fail --only --operator --name -o --output --level --count --seed --key
# end

# The command and its arguments: what stands before the cursor without options and their values.
function __bcastcli_words
    set -l words (commandline -opc)
    set -l awaited no
    for word in $words[2..-1]
        if test $awaited = yes
            set awaited no
        else if contains -- $word $__bcastcli_take_a_value
            set awaited yes
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

# Whether the command is one of these.
function __bcastcli_in
    set -l words (__bcastcli_words)
    contains -- "$words[1]" $argv
end

# Whether so many words stand before the cursor, the command among them.
function __bcastcli_after
    test (count (__bcastcli_words)) -eq $argv[1]
end

# Whether an option, by whichever of its names, is not given yet.
function __bcastcli_lacks
    for word in (commandline -opc | string replace -r '^(--[^=]+|-[^-]).*' '$1')
        contains -- $word $argv; and return 1
    end
    return 0
end

# The same for an option that takes a value. Right after its name, that value is what it lacks.
function __bcastcli_lacks_value
    contains -- (commandline -opc)[-1] $argv; or __bcastcli_lacks $argv
end

# The values of a list that are not in it yet, each after those that are.
function __bcastcli_list
    set -l typed (commandline -ct | string replace -r '^--[^=]+=' '')
    set -l before (string replace -r '[^,]*$' '' -- $typed)
    for value in $argv
        contains -- $value (string split , -- $before); or echo $before$value
    end
end

# No file names.
complete -c bcastcli -f

# from the app: commands
complete -c bcastcli -n '__bcastcli_after 0' -a numpy -d 'NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a onnx -d 'ONNX multidirectional: NumPy\'s rule, for Add, Where, Max'
complete -c bcastcli -n '__bcastcli_after 0' -a onnx-uni -d 'ONNX unidirectional: only B stretches, for Gemm, PRelu'
complete -c bcastcli -n '__bcastcli_after 0' -a none -d 'OpenVINO None: identical shapes, nothing stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a pdpd -d 'OpenVINO PDPD: put B at axis k of A; only B stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a bidirectional -d 'OpenVINO Broadcast (bidirectional): expand A to a target shape'
complete -c bcastcli -n '__bcastcli_after 0' -a ncnn -d 'ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes'
complete -c bcastcli -n '__bcastcli_after 0' -a left -d 'Julia, MATLAB, Octave: align left, 1 stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a same-rank -d 'TensorRT, TOSA: equal ranks, 1 stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a explicit -d 'StableHLO, XLA broadcast_in_dim: put A\'s axes on given axes of a target shape'
complete -c bcastcli -n '__bcastcli_after 0' -a why -d 'Explain an error message or a log: which operands clash, on which axis, and why'
complete -c bcastcli -n '__bcastcli_after 0' -a compare -d 'Compare the rules on the same arrays'
complete -c bcastcli -n '__bcastcli_after 0' -a op -d 'The result shape of an ONNX operator; or list operators and opsets'
complete -c bcastcli -n '__bcastcli_after 0' -a check -d 'Check questions in files, and in Markdown, against what is expected of them'
complete -c bcastcli -n '__bcastcli_after 0' -a model -d 'Check every broadcasting node of an ONNX, OpenVINO or pnnx model'
complete -c bcastcli -n '__bcastcli_after 0' -a deck -d 'Make slides with pictures: one question per line in, one HTML file out'
complete -c bcastcli -n '__bcastcli_after 0' -a rules -d 'The rules; or one rule: its text, examples, and how it differs from numpy'
complete -c bcastcli -n '__bcastcli_after 0' -a quiz -d 'Practice questions with explanations; --sheet prints a handout'
complete -c bcastcli -n '__bcastcli_after 0' -a help -d 'Explain a command or a topic'
complete -c bcastcli -n '__bcastcli_after 0' -a completions -d 'Print the completion script of a shell: bash, zsh or fish'
complete -c bcastcli -s V -l version -d 'Show the version and exit.' \
    -n "__bcastcli_in '' numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model deck rules quiz help completions; and __bcastcli_lacks -V --version"
complete -c bcastcli -s h -l help -d 'Show this message and exit.' \
    -n "__bcastcli_in '' numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model deck rules quiz help completions; and __bcastcli_lacks -h --help"
complete -c bcastcli -l steps -d 'Show each step of the rule.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op; and __bcastcli_lacks --steps"
complete -c bcastcli -l dtype -x -a 'bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128' -d 'The type of the elements that --steps counts in bytes; default: float32.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --dtype"
complete -c bcastcli -l picture -d 'Draw the operands and the result.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op; and __bcastcli_lacks --picture"
complete -c bcastcli -l until -x -a 'align compare stretch result' -d 'Draw the picture up to a step; default: result.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --until"
complete -c bcastcli -l op -x -d 'The operator in the picture, such as \'*\'; default: +.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --op"
complete -c bcastcli -l values -d 'Show numbers in the picture\'s cells; the default, except for some operators.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks --values"
complete -c bcastcli -l no-values -d 'Draw the cells without numbers.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks --no-values"
complete -c bcastcli -l no-notes -d 'Leave out the notes below the picture.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks --no-notes"
complete -c bcastcli -l title -x -d 'The title of a page.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --title"
complete -c bcastcli -l theme -x -a 'light dark transparent' -d 'The colors of a page.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --theme"
complete -c bcastcli -s q -l quiet -d 'Print nothing; only set the exit status.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model; and __bcastcli_lacks -q --quiet"
complete -c bcastcli -s f -l format -x -a 'table plain json tsv markdown svg html png pdf' -d 'The format; default: table, or plain for lines of questions.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op rules; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -l json -d 'Short for --format json.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model rules; and __bcastcli_lacks --json"
complete -c bcastcli -s p -l plain -d 'Short for --format plain.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model rules; and __bcastcli_lacks -p --plain"
complete -c bcastcli -l color -x -a 'auto always never' -d 'When to use color.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model rules quiz; and __bcastcli_lacks_value --color"
complete -c bcastcli -l strict -d 'Treat it as a mismatch when every operand stretches (64,1 with 64).' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit model; and __bcastcli_lacks --strict"
complete -c bcastcli -l max-elements -x -d 'Treat a larger result as a mismatch; N may end in k, M or G.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit model; and __bcastcli_lacks_value --max-elements"
complete -c bcastcli -l axis -x -d 'The axis of A on which B starts; -1: rank(A) - rank(B).' \
    -n "__bcastcli_in pdpd; and __bcastcli_lacks_value --axis"
complete -c bcastcli -l order -x -a 'ncnn numpy' -d 'How shapes are read and written: w first, or as NumPy has them.' \
    -n "__bcastcli_in ncnn; and __bcastcli_lacks_value --order"
complete -c bcastcli -l axes -x -d 'The axes of the target that the axes of A go to, such as 0,2; or none.' \
    -n "__bcastcli_in explicit; and __bcastcli_lacks_value --axes"
complete -c bcastcli -l tee -d 'Copy standard input to standard output as it comes; explain on standard error.' \
    -n "__bcastcli_in why; and __bcastcli_lacks --tee"
complete -c bcastcli -l rules -x -a '(__bcastcli_list numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit)' -d 'The rules to compare, such as numpy,ncnn; default: see above.' \
    -n "__bcastcli_in compare; and __bcastcli_lacks_value --rules"
complete -c bcastcli -l axis -x -d 'The axis for pdpd; default: rank(A) - rank(B).' \
    -n "__bcastcli_in compare; and __bcastcli_lacks_value --axis"
complete -c bcastcli -l all -d 'Also show rules and axes that are not part of the verdict.' \
    -n "__bcastcli_in compare; and __bcastcli_lacks --all"
complete -c bcastcli -l opset -x -d 'The opset to follow; default: the newest.' \
    -n "__bcastcli_in op; and __bcastcli_lacks_value --opset"
complete -c bcastcli -l axis -x -d 'The axis of A on which B starts (before opset 7), or that of a normalization.' \
    -n "__bcastcli_in op; and __bcastcli_lacks_value --axis"
complete -c bcastcli -l trans-a -d 'Gemm: transpose A (transA=1).' \
    -n "__bcastcli_in op; and __bcastcli_lacks --trans-a"
complete -c bcastcli -l trans-b -d 'Gemm: transpose B (transB=1).' \
    -n "__bcastcli_in op; and __bcastcli_lacks --trans-b"
complete -c bcastcli -l rule -x -a 'numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit' -d 'The rule for lines that name none, or a framework\'s name.' \
    -n "__bcastcli_in check; and __bcastcli_lacks_value --rule"
complete -c bcastcli -l max-fail -x -d 'Stop after N failures.' \
    -n "__bcastcli_in check; and __bcastcli_lacks_value --max-fail"
complete -c bcastcli -s f -l format -x -a 'plain json github' -d 'The format; github is for its Actions. Default: plain.' \
    -n "__bcastcli_in check; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -l all -d 'Show every node.' \
    -n "__bcastcli_in model; and __bcastcli_lacks --all"
complete -c bcastcli -l only -x -a 'no depends stretch undecided' -d 'Show only nodes of this verdict, or that stretch.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value --only"
complete -c bcastcli -l operator -x -d 'Show only nodes of these operators.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value --operator"
complete -c bcastcli -l name -x -d 'Show only nodes whose names match.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value --name"
complete -c bcastcli -s f -l format -x -a 'table plain lines json tsv markdown github' -d 'The format; lines are the questions themselves, for op -; github are lines for GitHub Actions. Default: table.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -s o -l output -x -d 'Where to write the slides; default: standard output.' \
    -n "__bcastcli_in deck; and __bcastcli_lacks_value -o --output"
complete -c bcastcli -l build -d 'Build up each picture in four slides.' \
    -n "__bcastcli_in deck; and __bcastcli_lacks --build"
complete -c bcastcli -l theme -x -a 'light dark transparent' -d 'The colors of the slides.' \
    -n "__bcastcli_in deck; and __bcastcli_lacks_value --theme"
complete -c bcastcli -l rule -x -a 'numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit' -d 'The rule to ask about.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --rule"
complete -c bcastcli -l level -x -a 'mixed missing-axes ones both-sides several-operands zeros symbols other-rules' -d 'The kind of questions; mixed: all kinds, the easy ones first.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --level"
complete -c bcastcli -l count -x -d 'How many questions.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --count"
complete -c bcastcli -l seed -x -d 'Repeat the quiz with this seed.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --seed"
complete -c bcastcli -l sheet -d 'Print a handout with the key below it.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks --sheet"
complete -c bcastcli -l key -x -a 'none only below' -d 'The key of the handout; default: below.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --key"
complete -c bcastcli -s f -l format -x -a 'text markdown html gift csv' -d 'The format of the handout; default: text. gift is for Moodle.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -a 'Add And Attention BitShift BitwiseAnd BitwiseOr BitwiseXor Div Einsum Equal Expand Gemm Greater GreaterOrEqual LayerNormalization Less LessOrEqual MatMul MatMulInteger Max Mean Min Mod Mul Or PRelu Pow QLinearMatMul RMSNormalization StringConcat Sub Sum Where Xor' \
    -n '__bcastcli_in op; and __bcastcli_after 1'
complete -c bcastcli -a 'numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit' \
    -n '__bcastcli_in rules; and __bcastcli_after 1'
complete -c bcastcli -a 'numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model deck rules quiz help completions formats json operators pipes reference rules-compared shapes teaching json-schema advice changelog completion development engines performance python stability' \
    -n '__bcastcli_in help; and __bcastcli_after 1'
complete -c bcastcli -a 'bash zsh fish' \
    -n '__bcastcli_in completions; and __bcastcli_after 1'
# end
