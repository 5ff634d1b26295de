"""How a server reads a body: values of a wrong type, fields that a kind does not have, and what Go types cannot hold."""
