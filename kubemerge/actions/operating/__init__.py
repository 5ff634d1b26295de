"""What those who operate a cluster do: find out what it serves, taint and cordon Nodes, decide on certificates."""
