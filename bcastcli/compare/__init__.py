"""Several rules set side by side on the same arrays.

`comparison` asks each rule, `agreement` finds the unknown sizes for which they agree, and `refused`
what to write where rules refuse. `choice` reads the names of rules, `report` shows the comparison,
and `command` is `bcastcli compare`.
"""
