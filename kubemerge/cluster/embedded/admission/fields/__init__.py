"""How a server reads a body: wrong types, fields that a kind does not have, and what Go types cannot hold."""
