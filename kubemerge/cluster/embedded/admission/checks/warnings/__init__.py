"""What a server warns of in an object that it takes, in its words and in its order."""
