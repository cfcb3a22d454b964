# PowerShell completion of bcastcli
# completions/generate.py fills the block marked "from the app"; the rest is edited here.

# What each command offers; the one without a name is what stands before a command.
$script:BcastcliCommands = @{
    # from the app: commands
    '' = @{
        Help = 'Do these shapes broadcast, to what, and if not, why not?'
        Options = @(
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @('numpy', 'onnx', 'onnx-uni', 'none', 'pdpd', 'bidirectional', 'ncnn', 'why', 'compare', 'op', 'model', 'deck', 'rules', 'quiz', 'help', 'completions')
        )
    }
    'numpy' = @{
        Help = 'NumPy, PyTorch, JAX, TensorFlow: align right, 1 stretches'
        Options = @(
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('--strict'); Help = 'Treat it as a mismatch when every operand stretches (64,1 with 64).'; TakesValue = $False; Values = @() }
            @{ Names = @('--max-elements'); Help = 'Treat a larger result as a mismatch; N may end in k, M or G.'; TakesValue = $True; Values = @() }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'onnx' = @{
        Help = 'ONNX multidirectional: NumPy''s rule, for Add, Where, Max'
        Options = @(
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('--strict'); Help = 'Treat it as a mismatch when every operand stretches (64,1 with 64).'; TakesValue = $False; Values = @() }
            @{ Names = @('--max-elements'); Help = 'Treat a larger result as a mismatch; N may end in k, M or G.'; TakesValue = $True; Values = @() }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'onnx-uni' = @{
        Help = 'ONNX unidirectional: only B stretches, for Gemm, PRelu'
        Options = @(
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('--strict'); Help = 'Treat it as a mismatch when every operand stretches (64,1 with 64).'; TakesValue = $False; Values = @() }
            @{ Names = @('--max-elements'); Help = 'Treat a larger result as a mismatch; N may end in k, M or G.'; TakesValue = $True; Values = @() }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'none' = @{
        Help = 'OpenVINO None: identical shapes, nothing stretches'
        Options = @(
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('--strict'); Help = 'Treat it as a mismatch when every operand stretches (64,1 with 64).'; TakesValue = $False; Values = @() }
            @{ Names = @('--max-elements'); Help = 'Treat a larger result as a mismatch; N may end in k, M or G.'; TakesValue = $True; Values = @() }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'pdpd' = @{
        Help = 'OpenVINO PDPD: put B at axis k of A; only B stretches'
        Options = @(
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('--strict'); Help = 'Treat it as a mismatch when every operand stretches (64,1 with 64).'; TakesValue = $False; Values = @() }
            @{ Names = @('--max-elements'); Help = 'Treat a larger result as a mismatch; N may end in k, M or G.'; TakesValue = $True; Values = @() }
            @{ Names = @('--axis'); Help = 'The axis of A on which B starts; -1: rank(A) - rank(B).'; TakesValue = $True; Values = @() }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'bidirectional' = @{
        Help = 'OpenVINO Broadcast (bidirectional): expand A to a target shape'
        Options = @(
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('--strict'); Help = 'Treat it as a mismatch when every operand stretches (64,1 with 64).'; TakesValue = $False; Values = @() }
            @{ Names = @('--max-elements'); Help = 'Treat a larger result as a mismatch; N may end in k, M or G.'; TakesValue = $True; Values = @() }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'ncnn' = @{
        Help = 'ncnn BinaryOp: shapes as w,h,d,c; lower rank aligned to the last axes'
        Options = @(
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('--strict'); Help = 'Treat it as a mismatch when every operand stretches (64,1 with 64).'; TakesValue = $False; Values = @() }
            @{ Names = @('--max-elements'); Help = 'Treat a larger result as a mismatch; N may end in k, M or G.'; TakesValue = $True; Values = @() }
            @{ Names = @('--order'); Help = 'How shapes are read and written: w first, or as NumPy has them.'; TakesValue = $True; Values = @('ncnn', 'numpy') }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'why' = @{
        Help = 'Explain an error message or a log: which operands clash, on which axis, and why'
        Options = @(
            @{ Names = @('--tee'); Help = 'Copy standard input to standard output as it comes; explain on standard error.'; TakesValue = $False; Values = @() }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'compare' = @{
        Help = 'The rules side by side, on the same arrays'
        Options = @(
            @{ Names = @('--rules'); Help = 'The rules to compare, such as numpy,ncnn; default: all but none.'; TakesValue = $True; Values = @('numpy', 'onnx', 'onnx-uni', 'none', 'pdpd', 'bidirectional', 'ncnn') }
            @{ Names = @('--axis'); Help = 'The axis for pdpd; default: rank(A) - rank(B).'; TakesValue = $True; Values = @() }
            @{ Names = @('--all'); Help = 'Also show rules and axes that are not part of the verdict.'; TakesValue = $False; Values = @() }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'op' = @{
        Help = 'The result shape of an ONNX operator; or list operators and opsets'
        Options = @(
            @{ Names = @('--opset'); Help = 'The opset to follow; default: the newest.'; TakesValue = $True; Values = @() }
            @{ Names = @('--axis'); Help = 'The axis of A on which B starts (before opset 7), or that of a normalization.'; TakesValue = $True; Values = @() }
            @{ Names = @('--trans-a'); Help = 'Gemm: transpose A (transA=1).'; TakesValue = $False; Values = @() }
            @{ Names = @('--trans-b'); Help = 'Gemm: transpose B (transB=1).'; TakesValue = $False; Values = @() }
            @{ Names = @('--steps'); Help = 'Show each step of the rule.'; TakesValue = $False; Values = @() }
            @{ Names = @('--dtype'); Help = 'The type of the elements that --steps counts in bytes; default: float32.'; TakesValue = $True; Values = @('bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16', 'bfloat16', 'float32', 'float64', 'complex64', 'complex128') }
            @{ Names = @('--picture'); Help = 'Draw the operands and the result.'; TakesValue = $False; Values = @() }
            @{ Names = @('--until'); Help = 'Draw the picture up to a step; default: result.'; TakesValue = $True; Values = @('align', 'compare', 'stretch', 'result') }
            @{ Names = @('--op'); Help = 'The operator in the picture, such as ''*''; default: +.'; TakesValue = $True; Values = @() }
            @{ Names = @('--values'); Help = 'Put numbers in the picture''s cells; usually the default.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-values'); Help = 'Draw the cells without numbers.'; TakesValue = $False; Values = @() }
            @{ Names = @('--no-notes'); Help = 'Leave out the notes below the picture.'; TakesValue = $False; Values = @() }
            @{ Names = @('--title'); Help = 'The title of a page.'; TakesValue = $True; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of a page.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @('Add', 'And', 'Attention', 'BitShift', 'BitwiseAnd', 'BitwiseOr', 'BitwiseXor', 'Div', 'Einsum', 'Equal', 'Expand', 'Gemm', 'Greater', 'GreaterOrEqual', 'LayerNormalization', 'Less', 'LessOrEqual', 'MatMul', 'MatMulInteger', 'Max', 'Mean', 'Min', 'Mod', 'Mul', 'Or', 'PRelu', 'Pow', 'QLinearMatMul', 'RMSNormalization', 'StringConcat', 'Sub', 'Sum', 'Where', 'Xor')
            , @()
        )
    }
    'model' = @{
        Help = 'Check every broadcasting node of an ONNX, OpenVINO or pnnx model'
        Options = @(
            @{ Names = @('--all'); Help = 'Show every node.'; TakesValue = $False; Values = @() }
            @{ Names = @('-f', '--format'); Help = 'The format; lines are the questions themselves, for op -.'; TakesValue = $True; Values = @('table', 'plain', 'lines', 'json', 'tsv') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('--strict'); Help = 'Treat it as a mismatch when every operand stretches (64,1 with 64).'; TakesValue = $False; Values = @() }
            @{ Names = @('--max-elements'); Help = 'Treat a larger result as a mismatch; N may end in k, M or G.'; TakesValue = $True; Values = @() }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
            , @()
        )
    }
    'deck' = @{
        Help = 'Slides with pictures, one question a line, as one HTML file'
        Options = @(
            @{ Names = @('-o', '--output'); Help = 'Where to write the slides; default: standard output.'; TakesValue = $True; Values = @() }
            @{ Names = @('--build'); Help = 'Build up each picture in four slides.'; TakesValue = $False; Values = @() }
            @{ Names = @('--theme'); Help = 'The colors of the slides.'; TakesValue = $True; Values = @('light', 'dark', 'transparent') }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @()
        )
    }
    'rules' = @{
        Help = 'The rules; or one rule: its text, examples, and how it differs from numpy'
        Options = @(
            @{ Names = @('-f', '--format'); Help = 'The format; default: table, or plain for lines of questions.'; TakesValue = $True; Values = @('table', 'plain', 'json', 'tsv', 'markdown', 'svg', 'html', 'png', 'pdf') }
            @{ Names = @('--json'); Help = 'Short for --format json.'; TakesValue = $False; Values = @() }
            @{ Names = @('-p', '--plain'); Help = 'Short for --format plain.'; TakesValue = $False; Values = @() }
            @{ Names = @('-q', '--quiet'); Help = 'Print nothing; only set the exit status.'; TakesValue = $False; Values = @() }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @('numpy', 'onnx', 'onnx-uni', 'none', 'pdpd', 'bidirectional', 'ncnn')
        )
    }
    'quiz' = @{
        Help = 'Practice questions with explanations; --sheet prints a handout'
        Options = @(
            @{ Names = @('--rule'); Help = 'The rule to ask about.'; TakesValue = $True; Values = @('numpy', 'onnx', 'onnx-uni', 'none', 'pdpd', 'bidirectional', 'ncnn') }
            @{ Names = @('--level'); Help = 'The kind of questions; mixed: all kinds, the easy ones first.'; TakesValue = $True; Values = @('mixed', 'missing-axes', 'ones', 'both-sides', 'several-operands', 'zeros', 'symbols', 'other-rules') }
            @{ Names = @('--count'); Help = 'How many questions.'; TakesValue = $True; Values = @() }
            @{ Names = @('--seed'); Help = 'Repeat the quiz of this seed.'; TakesValue = $True; Values = @() }
            @{ Names = @('--sheet'); Help = 'Print a handout with the key below it.'; TakesValue = $False; Values = @() }
            @{ Names = @('--key'); Help = 'The key of the handout; default: below.'; TakesValue = $True; Values = @('none', 'only', 'below') }
            @{ Names = @('-f', '--format'); Help = 'The format of the handout; default: text. gift is for Moodle.'; TakesValue = $True; Values = @('text', 'markdown', 'html', 'gift', 'csv') }
            @{ Names = @('--color'); Help = 'When to use color.'; TakesValue = $True; Values = @('auto', 'always', 'never') }
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
        )
    }
    'help' = @{
        Help = 'Explain a command or a topic'
        Options = @(
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @('numpy', 'onnx', 'onnx-uni', 'none', 'pdpd', 'bidirectional', 'ncnn', 'why', 'compare', 'op', 'model', 'deck', 'rules', 'quiz', 'help', 'completions', 'advice', 'changelog', 'completion', 'development', 'engines', 'formats', 'json', 'model', 'operators', 'performance', 'pipes', 'rules-compared', 'shapes', 'teaching', 'why', 'json-schema')
        )
    }
    'completions' = @{
        Help = 'Print the completion script of a shell: bash, zsh, fish or PowerShell'
        Options = @(
            @{ Names = @('-V', '--version'); Help = 'Show the version and exit.'; TakesValue = $False; Values = @() }
            @{ Names = @('-h', '--help'); Help = 'Show this message and exit.'; TakesValue = $False; Values = @() }
        )
        Arguments = @(
            , @('bash', 'zsh', 'fish', 'powershell')
        )
    }
    # end
}

Register-ArgumentCompleter -Native -CommandName bcastcli -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_" })
    $offer = $script:BcastcliCommands['']
    $command = $null
    $place = 0
    $awaited = $null
    $given = @()
    foreach ($word in $words) {
        if ($awaited) {
            $awaited = $null
        } elseif ($word.StartsWith('-') -and $word -ne '-') {
            $name = $word.Split('=')[0]
            $given += $name
            $option = $offer.Options | Where-Object { $_.Names -ccontains $name }
            if ($option -and $option.TakesValue -and -not $word.Contains('=')) {
                $awaited = $option
            }
        } elseif ($null -eq $command) {
            $command = $word
            $offer = $script:BcastcliCommands[$command]
            if ($null -eq $offer) { return }
        } else {
            $place += 1
        }
    }

    $found = if ($awaited) {
        $awaited.Values | ForEach-Object { @{ Text = $_; Help = $_ } }
    } elseif ($wordToComplete -like '-*') {
        $offer.Options |
            Where-Object { -not ($_.Names | Where-Object { $given -ccontains $_ }) } |
            ForEach-Object { $help = $_.Help; $_.Names | ForEach-Object { @{ Text = $_; Help = $help } } }
    } elseif ($place -lt $offer.Arguments.Count) {
        $offer.Arguments[$place] | ForEach-Object {
            $own = $script:BcastcliCommands[$_]
            @{ Text = $_; Help = if ($null -eq $command -and $own) { $own.Help } else { $_ } }
        }
    }
    $found | Where-Object { $_ -and $_.Text.StartsWith($wordToComplete) } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new(
            $_.Text, $_.Text, 'ParameterValue', $_.Help)
    }
}
