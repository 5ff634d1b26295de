"""kubectl's server-side apply: the request, the migration from client-side apply, and field managers."""
