"""Objects of every built-in kind, valid and spoilt, on a real API server and on the embedded cluster."""
