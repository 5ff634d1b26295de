"""Real programs that talk to an embedded cluster over the wire."""
