"""What a server and its controllers do beyond a single object."""
