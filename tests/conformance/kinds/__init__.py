"""What a real API server makes of objects of every built-in kind, valid and spoilt, beside the embedded cluster."""
