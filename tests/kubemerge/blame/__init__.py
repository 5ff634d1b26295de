"""Tests of `kubemerge blame`, in real git repositories."""
