"""How long bash takes for a TAB, in the function that completes.

python -m tests.benchmarks.completions [ROUNDS]
"""

import subprocess
import sys

from bcastcli.cli.commands.completions import Shell, script

LINES = (
    ("bcastcli", ""),
    ("bcastcli", "numpy", "-"),
    ("bcastcli", "numpy", "--format", ""),
    ("bcastcli", "pdpd", "--format", "=", "plain", "2,3,4,5", "3,4", "--axis", "1", "--"),
    ("bcastcli", "numpy", *["2,3,4,5"] * 100, "--"),
)
MEASURE = """
rounds=$1
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
before=$EPOCHREALTIME
for ((round = 0; round < rounds; round++)); do
    _bcastcli bcastcli "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
done
after=$EPOCHREALTIME
echo $((${after/[.,]/} - ${before/[.,]/})) ${#COMPREPLY[@]}
"""


def main() -> None:
    """Print the mean for lines short and long."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for line in LINES:
        ran = subprocess.run(
            ["bash", "--norc", "-c", script(Shell.BASH) + MEASURE, "bash", str(rounds), *line],
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        taken, offered = map(int, ran.stdout.split())
        shown = f"{' '.join(line[:8])}{' …' if len(line) > 8 else ''}"
        print(f"{taken / rounds / 1000:6.2f} ms (below 20), {offered:2} offered: {shown}")


if __name__ == "__main__":
    main()
