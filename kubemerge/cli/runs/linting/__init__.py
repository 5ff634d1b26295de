"""The steps of one run of `kubemerge lint`."""
