"""Everything that is derived from answers; nothing here decides anything anew.

`comparison` sets rules side by side; `agreement` says for which unknown sizes they agree;
`difference` finds where a rule and NumPy's part; `numpy_code` writes a broadcast out in NumPy;
`memory` counts strides, elements and gradients; `explained` answers what an error message asks, and
`dialects` writes a change as a framework does.
"""
