"""Lines in, answers out, in order and in bounded memory.

`batch` takes lines from a stream, and `progress` shows how far it has come. Asking a rule about a
line takes some 20 to 80 microseconds; a loop over `numpy.broadcast_shapes` takes 5. Most lines are
therefore answered from cached answers to similar lines. This folder decides nothing itself: every
entry below is an answer of the rule, or of the operator or the comparison, to a question like the
line, or like one axis of it, with other numbers.

| kept in | for each | what | at most | lines a second (1: the loop) |
|---|---|---|---|---|
| `batch` | line | its answer | 16,384; 8 MiB | 20 where lines repeat |
| `templates` | signature of a line | its template | 16 MiB | 0.4 to 3; three in JSON 0.1 |
| `templates` | signature seen once | the line, its answer | 12 MiB | (saves many templates) |
| `signatures` | shape; column | sizes; signature | 8,192; 16,384 | (halves the time to find one) |
| `columns` | sizes on an axis | the result's size | 16,384 | 3.5 where shapes recur |
| `columns` | columns that clash | why they do | 64 times 2,048 | 3 where shapes recur |

A full cache is emptied, or left as it is while few lines repeat (`caches`). What is kept
has few operands and brief texts, so that memory does not grow with the stream. Templates serve
whatever is asked: `signatures` shows which lines have one template. Columns serve plain answers and
rows of rules that decide axis by axis (`Rule.axis_by_axis`), where there are too many signatures
for templates: three operands alone have thousands.
"""
