"""Type checking of ValidatingAdmissionPolicies by a real kube-controller-manager."""
