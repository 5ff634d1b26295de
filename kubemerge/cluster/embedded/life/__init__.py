"""What a server and its controllers do beyond a single object: what a write or a deletion brings about elsewhere."""
