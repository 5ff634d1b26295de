"""The commands of `kubemerge demo`, and their files."""
