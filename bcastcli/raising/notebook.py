"""`%%strict` and `%%shapes`: what `bcastcli run` shows of a program, of a cell of IPython."""

import sys
from typing import Any

from bcastcli.raising import margins, silent, watching
from bcastcli.raising.loading import use_helpers
from bcastcli.raising.rewriting import Watched, sources


def register(shell: Any) -> None:
    """Give a shell the two magics."""

    def strict(line: str, cell: str) -> None:
        """Run the cell, and name the lines where shapes silently grew."""
        watching.settings["all"] = line.strip() == "all"
        _run(shell, cell, operations=True)
        sys.stderr.write(silent.text("table", sys.stderr))

    def shapes(_: str, cell: str) -> None:
        """Run the cell, and show it with the shapes of its values."""
        _run(shell, cell, operations=False)
        sys.stderr.write(margins.of_functions())

    shell.register_magic_function(strict, "cell")
    shell.register_magic_function(shapes, "cell")


def _run(shell: Any, cell: str, *, operations: bool) -> None:
    use_helpers()
    watching.forget()
    file = f"<cell {len(sources)}>"
    sources[file] = shell.transform_cell(cell)
    watched = Watched(file, operations=operations, assignments=not operations)
    shell.ast_transformers.append(watched)
    try:
        shell.run_cell(cell)
    finally:
        shell.ast_transformers.remove(watched)
