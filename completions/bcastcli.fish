# fish completion of bcastcli
# completions/generate.py fills the blocks marked "from the app"; the rest is edited here.

# The options whose value is the next word.
# from the app: values
set -g __bcastcli_take_a_value --until --op --title --theme -f --format --color --max-elements --axis --order --axes --rules --batch --opset --q-num-heads --kv-num-heads --rule --max-fail --only --operator --name -o --output --level --count --seed --key
set -g __bcastcli_commands numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why run compare op check model deck rules quiz help completions
set -g __bcastcli_frameworks np:numpy torch:numpy pytorch:numpy jax:numpy tensorflow:numpy tf:numpy keras:numpy tflite:numpy litert:numpy mlx:numpy tinygrad:numpy triton:numpy tvm:numpy cupy:numpy dask:numpy paddle:numpy paddlepaddle:numpy openvino:numpy ngraph:numpy coreml:numpy coremltools:numpy mil:numpy webnn:numpy pytensor:numpy pymc:numpy mxnet:numpy tensorflowjs:numpy tfjs:numpy ndarray:numpy numba:numpy mnn:numpy mps:numpy executorch:numpy mindspore:numpy gpytorch:numpy mathjs:numpy ttnn:numpy onnxruntime:onnx ort:onnx multidirectional:onnx tract:onnx unidirectional:onnx-uni onnx-unidirectional:onnx-uni binaryop:ncnn pnnx:ncnn julia:left matlab:left octave:left rray:left tensorrt:same-rank trt:same-rank tosa:same-rank burn:same-rank stablehlo:explicit xla:explicit broadcast_in_dim:explicit
set -g __bcastcli_places 'run:*' 'op:1' 'check:*' 'model:1' 'deck:1' 'rules:1' 'help:1' 'completions:1'
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

# Whether the command is one of these, if a framework's name stands for its rule, and a shape for
# the usual one.
function __bcastcli_in
    set -l command (__bcastcli_words)[1]
    if test -n "$command"; and not contains -- $command $__bcastcli_commands
        set command (string replace -f -r -- "^"(string escape --style=regex -- $command)":" '' $__bcastcli_frameworks)
        test -n "$command"; or set command numpy
    end
    contains -- "$command" $argv
end

# Whether there is nothing to offer but options: no value is awaited, and no argument is known.
function __bcastcli_offers_options
    set -l words (__bcastcli_words)
    set -l typed (commandline -opc)
    test -z (commandline -ct); and test -n "$words[1]"; and not contains -- -- $typed
    and not contains -- $typed[-1] $__bcastcli_take_a_value
    and not contains -- "$words[1]:"(count $words) $__bcastcli_places
    and not contains -- "$words[1]:*" $__bcastcli_places
end

# The names of frameworks, where none of these values begins as what is typed.
function __bcastcli_else
    set -l typed (commandline -ct | string replace -r '^--[^=]+=' '')
    string match -q -r -- '^'(string escape --style=regex -- "$typed") $argv
    or string replace -r ':.*' '' -- $__bcastcli_frameworks
end

# Whether an argument may follow.
function __bcastcli_takes
    not contains -- (commandline -opc)[-1] $__bcastcli_take_a_value
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
        contains -- (string split \t -- $value)[1] (string split , -- $before); or echo $before$value
    end
end

# No file names, but where they are asked for; options where there is nothing else.
complete -c bcastcli -f
complete -c bcastcli -n '__bcastcli_after 0' -a "(__bcastcli_else \$__bcastcli_commands)"
complete -c bcastcli -n __bcastcli_offers_options -a '(complete -C (commandline -cp)-)'

# from the app: commands
complete -c bcastcli -n '__bcastcli_after 0' -a numpy -d 'NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a onnx -d 'ONNX multidirectional: NumPy\'s rule, for Add, Where, Max'
complete -c bcastcli -n '__bcastcli_after 0' -a onnx-uni -d 'ONNX unidirectional: only B stretches, for Gemm, PRelu'
complete -c bcastcli -n '__bcastcli_after 0' -a none -d 'OpenVINO None: identical shapes, nothing stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a pdpd -d 'OpenVINO PDPD: put B at axis k of A; only B stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a bidirectional -d 'OpenVINO Broadcast (bidirectional): expand A to a target shape'
complete -c bcastcli -n '__bcastcli_after 0' -a ncnn -d 'ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes'
complete -c bcastcli -n '__bcastcli_after 0' -a left -d 'Julia, MATLAB, Octave: align left, 1 stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a same-rank -d 'TensorRT, TOSA, Burn: equal ranks, 1 stretches'
complete -c bcastcli -n '__bcastcli_after 0' -a explicit -d 'StableHLO, XLA broadcast_in_dim: put A\'s axes on given axes of a target shape'
complete -c bcastcli -n '__bcastcli_after 0' -a why -d 'Explain a pasted error or a log: which operands clash, on which axis, and why'
complete -c bcastcli -n '__bcastcli_after 0' -a run -d 'Run a Python program: if it fails, show the operands with their shapes, and why'
complete -c bcastcli -n '__bcastcli_after 0' -a compare -d 'Compare the rules: what each answers for the same arrays'
complete -c bcastcli -n '__bcastcli_after 0' -a op -d 'Look up an ONNX operator: its result shape, its history by opset, or the list of all'
complete -c bcastcli -n '__bcastcli_after 0' -a check -d 'Check shapes in files: each line broadcasts, or has its expected answer; also Markdown'
complete -c bcastcli -n '__bcastcli_after 0' -a model -d 'See where a model stops: each broadcasting node of an ONNX, OpenVINO or pnnx file'
complete -c bcastcli -n '__bcastcli_after 0' -a deck -d 'Make slides: one question per line in, one HTML file with pictures out'
complete -c bcastcli -n '__bcastcli_after 0' -a rules -d 'Read a rule: its text, source, examples, and how it differs from numpy; or list all'
complete -c bcastcli -n '__bcastcli_after 0' -a quiz -d 'Take a quiz: practice questions with explanations; --sheet prints a handout'
complete -c bcastcli -n '__bcastcli_after 0' -a help -d 'Read more: a command, a rule or a topic; help topics lists the topics'
complete -c bcastcli -n '__bcastcli_after 0' -a completions -d 'Set up TAB: print the completion script of bash, zsh or fish'
complete -c bcastcli -s V -l version -d 'Show the version and exit.' \
    -n "__bcastcli_in '' numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why run compare op check model deck rules quiz help completions; and __bcastcli_lacks -V --version"
complete -c bcastcli -s h -l help -d 'Show this message and exit.' \
    -n "__bcastcli_in '' numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why run compare op check model deck rules quiz help completions; and __bcastcli_lacks -h --help"
complete -c bcastcli -l steps -d 'Show each step of the rule.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op; and __bcastcli_lacks --steps"
complete -c bcastcli -l picture -d 'Draw the operands and the result.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op; and __bcastcli_lacks --picture"
complete -c bcastcli -l until -x -a 'align\\t"the operands, lined up" compare\\t"sizes compared axis by axis" stretch\\t"copies along each stretched axis" result\\t"the whole picture"' -d 'Show the picture or the steps up to a step; default: result.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --until"
complete -c bcastcli -l op -x -d 'The operator in the picture, such as \'*\'; default: +.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --op"
complete -c bcastcli -l step -d 'Show the picture step by step: Enter for more, q to end.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks --step"
complete -c bcastcli -l no-values -d 'Draw the cells without numbers.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks --no-values"
complete -c bcastcli -l title -x -d 'The title of a page.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --title"
complete -c bcastcli -l theme -x -a 'light\\t"dark on white" dark\\t"light on black"' -d 'The colors of a page.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit compare op; and __bcastcli_lacks_value --theme"
complete -c bcastcli -s q -l quiet -d 'Print nothing; only set the exit status.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model; and __bcastcli_lacks -q --quiet"
complete -c bcastcli -s f -l format -x -a 'table\\t"for people, the default for one question" plain\\t"one line, the default for lines" json\\t"one object on one line" tsv\\t"a header and rows, for spreadsheets" markdown\\t"the table for notes" svg\\t"a picture or a slide" html\\t"a page without other files"' -d 'The format; default: table, or plain for lines of questions.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op rules; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -l json -d 'Short for --format json.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why run compare op check model rules; and __bcastcli_lacks --json"
complete -c bcastcli -s p -l plain -d 'Short for --format plain.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model rules; and __bcastcli_lacks -p --plain"
complete -c bcastcli -l color -x -a 'auto\\t"on a terminal" always\\t"in a pipe too" never\\t"no colors"' -d 'When to use color.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit why compare op check model rules quiz; and __bcastcli_lacks_value --color"
complete -c bcastcli -l strict -d 'Treat it as a mismatch when every operand stretches (64,1 with 64).' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit model; and __bcastcli_lacks --strict"
complete -c bcastcli -l max-elements -x -d 'Treat a larger result as a mismatch; N may end in k, M or G.' \
    -n "__bcastcli_in numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit model; and __bcastcli_lacks_value --max-elements"
complete -c bcastcli -l axis -x -d 'The axis of A on which B starts; -1: rank(A) - rank(B).' \
    -n "__bcastcli_in pdpd; and __bcastcli_lacks_value --axis"
complete -c bcastcli -l order -x -a 'ncnn\\t"innermost axis first" numpy\\t"outermost axis first"' -d 'How shapes are read and written: w first, or in NumPy\'s order.' \
    -n "__bcastcli_in ncnn; and __bcastcli_lacks_value --order"
complete -c bcastcli -l axes -x -d 'The axes of the target that the axes of A go to, such as 0,2; or none.' \
    -n "__bcastcli_in explicit; and __bcastcli_lacks_value --axes"
complete -c bcastcli -l tee -d 'Copy standard input to standard output as it comes; explain on standard error.' \
    -n "__bcastcli_in why; and __bcastcli_lacks --tee"
complete -c bcastcli -s f -l format -x -a 'table\\t"for people, the default for one question" json\\t"one object on one line"' -d 'The format of the explanation.' \
    -n "__bcastcli_in run; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -l rules -x -a '(__bcastcli_list numpy\\t"NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches" onnx\\t"ONNX multidirectional: NumPy\'s rule, for Add, Where, Max" onnx-uni\\t"ONNX unidirectional: only B stretches, for Gemm, PRelu" none\\t"OpenVINO None: identical shapes, nothing stretches" pdpd\\t"OpenVINO PDPD: put B at axis k of A; only B stretches" bidirectional\\t"OpenVINO Broadcast (bidirectional): expand A to a target shape" ncnn\\t"ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes" left\\t"Julia, MATLAB, Octave: align left, 1 stretches" same-rank\\t"TensorRT, TOSA, Burn: equal ranks, 1 stretches" explicit\\t"StableHLO, XLA broadcast_in_dim: put A\'s axes on given axes of a target shape")' -d 'The rules to compare, such as numpy,ncnn; default: see above.' \
    -n "__bcastcli_in compare; and __bcastcli_lacks_value --rules"
complete -c bcastcli -l axis -x -d 'The axis for pdpd; default: rank(A) - rank(B).' \
    -n "__bcastcli_in compare; and __bcastcli_lacks_value --axis"
complete -c bcastcli -l batch -x -a 'drop\\t"C,H,W alone" keep\\t"as an axis of its own"' -d 'For ncnn, drop the batch axis of N,C,H,W, or keep it as a separate axis.' \
    -n "__bcastcli_in compare model; and __bcastcli_lacks_value --batch"
complete -c bcastcli -l all -d 'Also show rules and axes that are not part of the verdict.' \
    -n "__bcastcli_in compare; and __bcastcli_lacks --all"
complete -c bcastcli -l opset -x -d 'The opset to follow; default: the newest.' \
    -n "__bcastcli_in op; and __bcastcli_lacks_value --opset"
complete -c bcastcli -l axis -x -d 'The first axis that a normalization covers; default: the last.' \
    -n "__bcastcli_in op; and __bcastcli_lacks_value --axis"
complete -c bcastcli -l q-num-heads -x -d 'Attention: the number of heads of Q, if it has three axes.' \
    -n "__bcastcli_in op; and __bcastcli_lacks_value --q-num-heads"
complete -c bcastcli -l kv-num-heads -x -d 'Attention: the number of heads of K and V.' \
    -n "__bcastcli_in op; and __bcastcli_lacks_value --kv-num-heads"
complete -c bcastcli -l trans-a -d 'Gemm: transpose A (transA=1).' \
    -n "__bcastcli_in op; and __bcastcli_lacks --trans-a"
complete -c bcastcli -l trans-b -d 'Gemm: transpose B (transB=1).' \
    -n "__bcastcli_in op; and __bcastcli_lacks --trans-b"
complete -c bcastcli -l rule -x -a 'numpy\\t"NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches" onnx\\t"ONNX multidirectional: NumPy\'s rule, for Add, Where, Max" onnx-uni\\t"ONNX unidirectional: only B stretches, for Gemm, PRelu" none\\t"OpenVINO None: identical shapes, nothing stretches" pdpd\\t"OpenVINO PDPD: put B at axis k of A; only B stretches" bidirectional\\t"OpenVINO Broadcast (bidirectional): expand A to a target shape" ncnn\\t"ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes" left\\t"Julia, MATLAB, Octave: align left, 1 stretches" same-rank\\t"TensorRT, TOSA, Burn: equal ranks, 1 stretches" explicit\\t"StableHLO, XLA broadcast_in_dim: put A\'s axes on given axes of a target shape" (__bcastcli_else numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit)' -d 'The rule for lines without one.' \
    -n "__bcastcli_in check; and __bcastcli_lacks_value --rule"
complete -c bcastcli -l allow-empty -d 'Accept files without questions.' \
    -n "__bcastcli_in check; and __bcastcli_lacks --allow-empty"
complete -c bcastcli -l markdown -d 'Read all files and standard input as Markdown.' \
    -n "__bcastcli_in check; and __bcastcli_lacks --markdown"
complete -c bcastcli -l max-fail -x -d 'Stop after N failures.' \
    -n "__bcastcli_in check; and __bcastcli_lacks_value --max-fail"
complete -c bcastcli -s f -l format -x -a 'plain\\t"one line, the default for lines" json\\t"one object on one line" github\\t"annotations for GitHub Actions"' -d 'The format; github: for GitHub Actions. Default: plain.' \
    -n "__bcastcli_in check; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -l all -d 'Show every node.' \
    -n "__bcastcli_in model; and __bcastcli_lacks --all"
complete -c bcastcli -l only -x -a 'no\\t"does not broadcast" depends\\t"depends on open sizes" stretch\\t"copies along each stretched axis" undecided\\t"the file lacks information"' -d 'Show only nodes of this verdict, or that stretch.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value --only"
complete -c bcastcli -l operator -x -d 'Show only nodes of these operators.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value --operator"
complete -c bcastcli -l name -x -d 'Show only nodes whose names match.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value --name"
complete -c bcastcli -s f -l format -x -a 'table\\t"for people, the default for one question" plain\\t"one line, the default for lines" lines\\t"the questions, for op -" json\\t"one object on one line" tsv\\t"a header and rows, for spreadsheets" markdown\\t"the table for notes" github\\t"annotations for GitHub Actions"' -d 'The format; default: table. lines: the questions, for op -; github: for GitHub Actions.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -l rules -x -a '(__bcastcli_list numpy\\t"NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches" onnx\\t"ONNX multidirectional: NumPy\'s rule, for Add, Where, Max" onnx-uni\\t"ONNX unidirectional: only B stretches, for Gemm, PRelu" none\\t"OpenVINO None: identical shapes, nothing stretches" pdpd\\t"OpenVINO PDPD: put B at axis k of A; only B stretches" bidirectional\\t"OpenVINO Broadcast (bidirectional): expand A to a target shape" ncnn\\t"ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes" left\\t"Julia, MATLAB, Octave: align left, 1 stretches" same-rank\\t"TensorRT, TOSA, Burn: equal ranks, 1 stretches" explicit\\t"StableHLO, XLA broadcast_in_dim: put A\'s axes on given axes of a target shape")' -d 'Show the nodes that these rules or frameworks answer otherwise.' \
    -n "__bcastcli_in model; and __bcastcli_lacks_value --rules"
complete -c bcastcli -s o -l output -r -F -d 'Where to write; default: standard output.' \
    -n "__bcastcli_in deck; and __bcastcli_lacks_value -o --output"
complete -c bcastcli -l build -d 'Build up each picture step by step, in up to four slides.' \
    -n "__bcastcli_in deck; and __bcastcli_lacks --build"
complete -c bcastcli -l theme -x -a 'light\\t"dark on white" dark\\t"light on black"' -d 'The colors of the slides.' \
    -n "__bcastcli_in deck; and __bcastcli_lacks_value --theme"
complete -c bcastcli -l rule -x -a 'numpy\\t"NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches" onnx\\t"ONNX multidirectional: NumPy\'s rule, for Add, Where, Max" onnx-uni\\t"ONNX unidirectional: only B stretches, for Gemm, PRelu" none\\t"OpenVINO None: identical shapes, nothing stretches" pdpd\\t"OpenVINO PDPD: put B at axis k of A; only B stretches" bidirectional\\t"OpenVINO Broadcast (bidirectional): expand A to a target shape" ncnn\\t"ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes" left\\t"Julia, MATLAB, Octave: align left, 1 stretches" same-rank\\t"TensorRT, TOSA, Burn: equal ranks, 1 stretches" explicit\\t"StableHLO, XLA broadcast_in_dim: put A\'s axes on given axes of a target shape" (__bcastcli_else numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit)' -d 'The rule to ask about.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --rule"
complete -c bcastcli -l level -x -a 'mixed\\t"all kinds" missing-axes\\t"questions on missing axes" ones\\t"questions on ones" both-sides\\t"questions on both sides" several-operands\\t"questions on several operands" symbols\\t"questions on symbols" other-rules\\t"questions on other rules"' -d 'The kind of questions; mixed: all levels of the rule, the easy ones first.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --level"
complete -c bcastcli -l count -x -d 'How many questions.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --count"
complete -c bcastcli -l seed -x -d 'Repeat the quiz with this seed.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --seed"
complete -c bcastcli -l sheet -d 'Print a handout with the key below it.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks --sheet"
complete -c bcastcli -l key -x -a 'none\\t"without a key" only\\t"the key without the questions" below\\t"under the questions"' -d 'The key of the handout; default: below.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value --key"
complete -c bcastcli -s f -l format -x -a 'text\\t"a handout to print" markdown\\t"the table for notes" html\\t"a page without other files" gift\\t"questions for Moodle"' -d 'The format of the handout; default: text. gift is for Moodle.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks_value -f --format"
complete -c bcastcli -l slides -d 'With -f html: a slide for each question and each answer.' \
    -n "__bcastcli_in quiz; and __bcastcli_lacks --slides"
complete -c bcastcli -F \
    -n '__bcastcli_in run; and __bcastcli_takes'
complete -c bcastcli -a 'Add\\t"rule onnx" And\\t"rule onnx" Attention\\t"rule onnx-uni" BitShift\\t"rule onnx" BitwiseAnd\\t"rule onnx" BitwiseOr\\t"rule onnx" BitwiseXor\\t"rule onnx" Div\\t"rule onnx" Einsum\\t"rule onnx" Equal\\t"rule onnx" Expand\\t"rule onnx" Gemm\\t"rule onnx-uni" Greater\\t"rule onnx" GreaterOrEqual\\t"rule onnx" LayerNormalization\\t"rule onnx-uni" Less\\t"rule onnx" LessOrEqual\\t"rule onnx" MatMul\\t"rule onnx" MatMulInteger\\t"rule onnx" Max\\t"rule onnx" Mean\\t"rule onnx" Min\\t"rule onnx" Mod\\t"rule onnx" Mul\\t"rule onnx" Or\\t"rule onnx" PRelu\\t"rule onnx-uni" Pow\\t"rule onnx" QLinearMatMul\\t"rule onnx" RMSNormalization\\t"rule onnx-uni" StringConcat\\t"rule onnx" Sub\\t"rule onnx" Sum\\t"rule onnx" SwiGLU\\t"rule none" Where\\t"rule onnx" Xor\\t"rule onnx" AveragePool\\t"rule own" BatchNormalization\\t"rule own" Concat\\t"rule own" Conv\\t"rule own" ConvInteger\\t"rule own" ConvTranspose\\t"rule own" DepthToSpace\\t"rule own" DequantizeLinear\\t"rule own" GRU\\t"rule own" Gather\\t"rule own" GatherElements\\t"rule own" GatherND\\t"rule own" GridSample\\t"rule own" GroupNormalization\\t"rule own" InstanceNormalization\\t"rule own" LSTM\\t"rule own" LpPool\\t"rule own" MaxPool\\t"rule own" NonMaxSuppression\\t"rule own" OneHot\\t"rule own" Pad\\t"rule own" QLinearConv\\t"rule own" QuantizeLinear\\t"rule own" RNN\\t"rule own" Reshape\\t"rule own" RotaryEmbedding\\t"rule own" RoiAlign\\t"rule own" ScatterElements\\t"rule own" ScatterND\\t"rule own" Slice\\t"rule own" SpaceToDepth\\t"rule own" Split\\t"rule own" Squeeze\\t"rule own" Tile\\t"rule own" TopK\\t"rule own" Transpose\\t"rule own"' \
    -n '__bcastcli_in op; and __bcastcli_after 1'
complete -c bcastcli -F \
    -n '__bcastcli_in check; and __bcastcli_takes'
complete -c bcastcli -F \
    -n '__bcastcli_in model; and __bcastcli_after 1'
complete -c bcastcli -F \
    -n '__bcastcli_in deck; and __bcastcli_after 1'
complete -c bcastcli -a 'numpy\\t"NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches" onnx\\t"ONNX multidirectional: NumPy\'s rule, for Add, Where, Max" onnx-uni\\t"ONNX unidirectional: only B stretches, for Gemm, PRelu" none\\t"OpenVINO None: identical shapes, nothing stretches" pdpd\\t"OpenVINO PDPD: put B at axis k of A; only B stretches" bidirectional\\t"OpenVINO Broadcast (bidirectional): expand A to a target shape" ncnn\\t"ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes" left\\t"Julia, MATLAB, Octave: align left, 1 stretches" same-rank\\t"TensorRT, TOSA, Burn: equal ranks, 1 stretches" explicit\\t"StableHLO, XLA broadcast_in_dim: put A\'s axes on given axes of a target shape" (__bcastcli_else numpy onnx onnx-uni none pdpd bidirectional ncnn left same-rank explicit)' \
    -n '__bcastcli_in rules; and __bcastcli_after 1'
complete -c bcastcli -a 'topics\\t"the list of all topics" numpy\\t"NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches" onnx\\t"ONNX multidirectional: NumPy\'s rule, for Add, Where, Max" onnx-uni\\t"ONNX unidirectional: only B stretches, for Gemm, PRelu" none\\t"OpenVINO None: identical shapes, nothing stretches" pdpd\\t"OpenVINO PDPD: put B at axis k of A; only B stretches" bidirectional\\t"OpenVINO Broadcast (bidirectional): expand A to a target shape" ncnn\\t"ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes" left\\t"Julia, MATLAB, Octave: align left, 1 stretches" same-rank\\t"TensorRT, TOSA, Burn: equal ranks, 1 stretches" explicit\\t"StableHLO, XLA broadcast_in_dim: put A\'s axes on given axes of a target shape" why\\t"Explain a pasted error or a log: which operands clash, on which axis, and why" run\\t"Run a Python program: if it fails, show the operands with their shapes, and why" compare\\t"Compare the rules: what each answers for the same arrays" op\\t"Look up an ONNX operator: its result shape, its history by opset, or the list of all" check\\t"Check shapes in files: each line broadcasts, or has its expected answer; also Markdown" model\\t"See where a model stops: each broadcasting node of an ONNX, OpenVINO or pnnx file" deck\\t"Make slides: one question per line in, one HTML file with pictures out" rules\\t"Read a rule: its text, source, examples, and how it differs from numpy; or list all" quiz\\t"Take a quiz: practice questions with explanations; --sheet prints a handout" help\\t"Read more: a command, a rule or a topic; help topics lists the topics" completions\\t"Set up TAB: print the completion script of bash, zsh or fish" formats\\t"tables, lines, JSON and pages" pipes\\t"one question per line" reference\\t"engines, messages, JSON, promises, Python, the changelog" shapes\\t"how to type them" teaching\\t"pictures, slides and quizzes" json-schema\\t"the JSON Schema of every object" advice\\t"what to write instead" changelog\\t"what changed for users" development\\t"tests, engines and what is generated" engines\\t"how the rules were checked" exit\\t"the status is the answer" json\\t"the objects and their keys" messages\\t"the frameworks and errors that why knows" performance\\t"start-up and streams, measured" python\\t"answers in a program or a notebook" quoting\\t"characters that are special to the shell" stability\\t"what scripts may rely on"' \
    -n '__bcastcli_in help; and __bcastcli_after 1'
complete -c bcastcli -a 'bash\\t"for ~/.bashrc" zsh\\t"for ~/.zshrc" fish\\t"for ~/.config/fish/completions"' \
    -n '__bcastcli_in completions; and __bcastcli_after 1'
# end
