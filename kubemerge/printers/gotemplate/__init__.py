"""Templates of Go, as `-o go-template` takes them: reading one, and what it makes of an object.

Left out are `define`, `block`, `template` and `call`, methods of Go types, and the printf verbs that Go has for types
that JSON does not have.
"""
