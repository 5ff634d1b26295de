"""Authorization by RBAC, compared with recorded responses of a real API server."""
