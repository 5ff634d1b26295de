"""ResourceQuotas: random requests, and the responses and usage of a real server."""
