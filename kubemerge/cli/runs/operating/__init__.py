"""The work of commands that operate a cluster: `set`, `wait`, `cordon` and `uncordon`."""
