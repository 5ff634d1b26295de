"""`kubectl apply` of two configs, with changes of other clients between them, in every release."""
