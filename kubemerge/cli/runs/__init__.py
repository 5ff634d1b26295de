"""Commands that change a cluster, object by object, past those that fail."""
