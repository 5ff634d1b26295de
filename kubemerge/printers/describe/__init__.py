"""Objects in words, as `kubectl describe` prints them: a module for each family of kinds, and a form for all others."""
