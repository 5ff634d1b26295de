"""Go templates, for `-o go-template`: parsing and execution.

Not supported: `define`, `block`, `template` and `call`, methods of Go types, and printf verbs for Go types that JSON
does not have.
"""
