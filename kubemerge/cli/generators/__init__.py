"""Subcommands of `kubemerge create`, one for each kind: their options. `actions.generators` makes the objects."""
