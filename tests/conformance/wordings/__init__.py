"""One recorded response of a real API server for each place in the code that reports a problem or a warning."""
