"""Past one process: GNU parallel and Spark answer a million lines with the bytes of one process.

    python -m tests.scale [LINES]

It needs GNU parallel, Java, and the dependency group `scale`.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

COMMAND = str(Path(sysconfig.get_path("scripts"), "bcastcli"))
RULE = "numpy"
PARTITIONS = 8


def lines(count: int) -> Iterator[str]:
    """Yield questions that recur, that are new, that clash, that depend, and invalid ones."""
    random = Random(1)
    for number in range(count):
        kind = number % 10
        sizes = [str(random.randint(2, 4_000)) for _ in range(3)]
        if kind < 6:
            yield f"{','.join(sizes)} {sizes[2]}"
        elif kind < 8:
            yield f"{','.join(sizes)} {sizes[0]},1"
        elif kind == 8:
            yield f"N,{sizes[0]} {sizes[1]},1 # node {number}"
        else:
            yield f"{sizes[0]},,{sizes[1]}"


def main() -> None:
    """Compare the bytes; end with a message where they differ."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        questions = Path(folder, "questions")
        questions.write_text("".join(f"{line}\n" for line in lines(count)))
        expected = piped([COMMAND, RULE], questions)
        assert expected.count(b"\n") == count
        parallel = ["parallel", "--pipe", "-k", "--block", "4M", COMMAND, RULE]
        compare("GNU parallel", piped(parallel, questions), expected)
        compare("Spark, local-cluster", by_spark(questions), expected)


def piped(command: list[str], questions: Path) -> bytes:
    """Return what a filter makes of the questions."""
    with questions.open("rb") as source:
        ran = subprocess.run(
            command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        )
    return ran.stdout


def by_spark(questions: Path) -> bytes:
    """Return the answers that workers of a Spark cluster on this machine give."""
    import pyspark

    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    settings = pyspark.SparkConf().setMaster("local-cluster[2,1,1024]").setAppName("bcastcli")
    settings = settings.set("spark.ui.enabled", "false").set("spark.driver.host", "127.0.0.1")
    context = pyspark.SparkContext(conf=settings)
    try:
        answers = context.textFile(str(questions), PARTITIONS).pipe(f"{COMMAND} {RULE}").collect()
    finally:
        context.stop()
    return "".join(f"{answer}\n" for answer in answers).encode()


def compare(name: str, answers: bytes, expected: bytes) -> None:
    """Say that the bytes are the same, or end with where they are not."""
    if answers != expected:
        sys.exit(f"{name}: other bytes")
    sys.stdout.write(f"{name}: {expected.count(10)} lines, the same bytes\n")


if __name__ == "__main__":
    main()
