# TAB in fish: bcastcli itself says what may follow, by Typer's protocol. Where that is nothing, files do.
function __bcastcli_complete
    set -lx _BCASTCLI_COMPLETE complete_fish
    set -lx _TYPER_COMPLETE_FISH_ACTION $argv
    set -lx _TYPER_COMPLETE_ARGS (commandline -cp)
    bcastcli 2> /dev/null
end
# What stands before the = of --format=plain is repeated before each of its values.
complete -c bcastcli -f -n '__bcastcli_complete is-args' \
    -a '(string match -r -- "^--[^=]*=|^" (commandline -ct))(__bcastcli_complete get-args)'
