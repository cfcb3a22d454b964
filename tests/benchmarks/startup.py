"""How long one question takes, whole process, against the smallest programs of the same kind.

Run it in an environment with bcastcli, NumPy and compiled bytecode:

    python -m tests.benchmarks.startup [ROUNDS]
"""

import statistics
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from time import perf_counter

PRINTS_A_LINE = """
import typer
app = typer.Typer(add_completion=False, rich_markup_mode=None)
@app.command()
def main(shapes: list[str]) -> None:
    print('2,3')
app()
"""
ASKS_NUMPY = "import numpy; print(numpy.broadcast_shapes((2,3),(3,)))"


def main() -> None:
    """Print the medians, and their ratios to the yardsticks."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    ours = str(Path(sysconfig.get_path("scripts"), "bcastcli"))
    with tempfile.TemporaryDirectory() as folder:
        line = Path(folder, "line.py")
        line.write_text(PRINTS_A_LINE)
        commands = {
            "typer, a line": [sys.executable, str(line), "2,3", "3"],
            "numpy": [sys.executable, "-c", ASKS_NUMPY],
            "-q": [ours, "numpy", "-q", "2,3", "3"],
            "plain": [ours, "numpy", "-f", "plain", "2,3", "3"],
            "json": [ours, "numpy", "-f", "json", "2,3", "3"],
            "table": [ours, "numpy", "2,3", "3"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                start = perf_counter()
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
                times[name].append(perf_counter() - start)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, taken in medians.items():
        print(f"{name:20}{taken * 1000:6.1f} ms")
    for name in ("-q", "plain", "json", "table"):
        small, numpy = medians["typer, a line"], medians["numpy"]
        print(f"{name:7}{medians[name] / small:5.2f} of typer, a line", end="")
        print(f"{medians[name] / numpy:8.2f} of numpy")


if __name__ == "__main__":
    main()
