"""The file of a cluster: opening it, its rows, and the history of its changes."""
