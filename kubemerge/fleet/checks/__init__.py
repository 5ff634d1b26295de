"""The check of one object as rows, one module for each command of `kubemerge fleet`."""
