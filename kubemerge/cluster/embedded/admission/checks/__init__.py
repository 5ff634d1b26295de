"""Why an API server would refuse an object."""
