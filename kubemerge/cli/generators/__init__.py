"""The commands below `kubemerge create`, each for one kind: their options; `actions/generators/` makes the objects."""
