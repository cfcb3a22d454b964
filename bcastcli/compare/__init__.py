"""Several rules on the same arrays, side by side.

`comparison` answers under each rule, `agreement` finds the unknown sizes for which they agree,
`report` shows the comparison, and `command` is `bcastcli compare`.
"""

SUMMARY = "Compare the rules: what each answers for the same arrays"
