"""Options of the `kubemerge create` subcommands, one per kind. `actions.generators` builds the objects."""
