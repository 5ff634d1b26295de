"""Authorization by RBAC."""
