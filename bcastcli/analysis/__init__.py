"""Everything that is derived from answers; nothing here decides anything anew.

`comparison` sets rules side by side; `agreement` says for which unknown sizes they agree, and
`refused` what to write where rules refuse; `difference` finds where a rule and NumPy's part;
`numpy_code` writes a broadcast out in NumPy; `memory` counts strides, elements and gradients.
`explained` answers what an error message asks; `advice` says what to write instead, and `dialects`
writes it as a framework does. `model` finds where a model stops, and
`model_summary` counts its nodes.
"""
