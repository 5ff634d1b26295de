"""Go templates, for `-o go-template`: parsing and execution.

Not supported: `define`, `block`, `template` and `call`, methods of Go types, and printf verbs of Go for types that JSON
does not have.
"""
