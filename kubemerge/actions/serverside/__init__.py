"""Server-side apply of kubectl: the request, the migration from client-side apply, and field managers."""
