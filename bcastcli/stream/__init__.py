"""Lines in, answers out, in order and in bounded memory.

`batch` takes lines from a stream, and `progress` shows how far it has come. To ask a rule about a
line takes some 20 to 80 microseconds, and a loop over `numpy.broadcast_shapes` takes 5 for it. So
most lines are answered without being asked, from what was asked before. Nothing here decides
anything: every entry below is an answer of the rule, or of the operator or the comparison, to a
question like the line, or like one axis of it, in which other numbers stand.

| kept in | for each | what | at most | worth, times the loop |
|---|---|---|---|---|
| `batch` | line | its answer | 2,048, or 16,384 short ones | 20 where lines repeat |
| `templates` | look of a line | template of the answer | 16 MiB | 1 to 2 in every rule and format |
| `templates` | look met once | the line, its answer | 4 MiB | no template is made in vain |
| `looks` | shape; column | its sizes; its look | 16,384; 32,768 | looks found in half the time |
| `columns` | sizes on an axis | the result's size | 32,768 | 4 where shapes recur |
| `columns` | the same, and ranks | reason for a mismatch | 32,768 | the same for mismatches |
| `columns` | the same, some unknown | size and condition | 32,768 | 1 instead of 0.4 |

What is full is emptied and begun anew, so that memory does not grow with the stream. Templates
serve whatever is asked: `looks` tells which lines have one template. Columns serve plain answers of
rules that decide axis by axis (`Rule.axis_by_axis`), where a line has more looks than come again:
three operands have thousands.
"""
