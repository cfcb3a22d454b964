"""Several rules on the same arrays, side by side.

`comparison` answers under each rule, `agreement` finds the unknown sizes for which they agree,
`report` shows the comparison, and `command` is `bcastcli compare`.
"""

SUMMARY = "See what each rule answers for the same shapes"
