"""Lines in, answers out, in order and in bounded memory.

`batch` takes lines from a stream, and `progress` shows how far it has come. To ask a rule about a
line takes some 50 microseconds, and a loop over `numpy.broadcast_shapes` takes 8 for it. So most
lines are answered without being asked, from what was asked before. Nothing here decides anything:
every entry below is an answer of the rule, or of the operator or the comparison, to a question
like the line, in which other numbers stand.

| kept in | for each | what | at most | worth, times the loop |
|---|---|---|---|---|
| `batch` | line | its answer | 2,048, or 16,384 short ones | 20 where lines repeat |
| `templates` | look of a line | template of the answer | 16 MiB | 2 to 4 in every rule and format |
| `templates` | look met once | numbers and answer | 4 MiB | no template is made in vain |
| `columns` | shape | its sizes | 16,384 | as the next |
| `columns` | sizes on an axis | the result's size | 32,768 | 4 where shapes recur |
| `columns` | the same, and the axis | reason for a mismatch | 32,768 | the same for mismatches |

What is full is emptied and begun anew, so that memory does not grow with the stream. Templates
serve whatever is asked. Columns serve plain answers of rules that decide axis by axis
(`Rule.axis_by_axis`), where a line has more looks than come again: three operands have thousands.
"""
