"""Objects as `kubectl describe` prints them: one module for each family of kinds, and a form for all others."""
