# TAB in bash: bcastcli itself says what may follow, by Typer's protocol. Where that is nothing, files do.
_bcastcli_completion() {
    local line=${COMP_LINE:0:COMP_POINT} place=-1
    # The word to complete is the last one, or an empty one behind a blank, past them all.
    if [[ $line == *[[:blank:]] ]]; then place=9999; fi
    mapfile -t COMPREPLY < <(
        COMP_WORDS=$line COMP_CWORD=$place _BCASTCLI_COMPLETE=complete_bash "$1" 2> /dev/null
    )
    if [[ -z ${COMPREPLY[*]} ]]; then COMPREPLY=(); fi
}
complete -o default -F _bcastcli_completion bcastcli
