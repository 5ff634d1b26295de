"""Who may do what: roles and bindings, certificates, and APIs that other servers add."""
