"""Lines that may begin with the name of a rule, a framework or an operator."""

from difflib import get_close_matches

from bcastcli.core.answer import Answer
from bcastcli.core.rule import Rule
from bcastcli.core.shapes import reads_as_word
from bcastcli.notation.questions import answer_line, is_json
from bcastcli.notation.text import RANK_UNKNOWN, NotationError
from bcastcli.operators import questions
from bcastcli.operators.table import table
from bcastcli.rules import find, names


def ask(line: str, usual: Rule) -> Answer:
    """Return the answer to a line, by the usual rule if it names none.

    Raises NotationError if it is not a question.

    >>> from bcastcli.rules import RULES
    >>> ask("Gemm 8,64 64,10", RULES["numpy"]).result, ask("3,4 4", RULES["none"]).ok
    ((8, 10), False)
    """
    if is_json(line):
        return questions.ask(line) if '"op"' in line else answer_line(usual, line, {})
    word = next(iter(line.split()), "")
    start = line.index(word)
    end = start + len(word)
    rule = find(word)
    if rule and RANK_UNKNOWN not in line:
        return answer_line(rule, " " * end + line[end:], {})
    operators = {each.lower(): each for each in table()}
    if rule or word.lower() in operators:
        return questions.ask(line)
    try:
        return answer_line(usual, line, {})
    except NotationError as error:
        if error.span != (start, end) or not reads_as_word(word):
            raise
    near = get_close_matches(word.lower(), {**names(), **operators}, n=1)
    meant = f"; did you mean {operators.get(near[0], near[0])}?" if near else ""
    text = f"there is no rule, framework or operator {word}{meant}"
    raise NotationError(text, line, (start, end))
