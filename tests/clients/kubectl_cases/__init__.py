"""kubectl's own shell tests (`test/cmd` of Kubernetes) against a served cluster with the real controllers."""
