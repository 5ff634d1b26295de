"""Objects as `kubectl describe` prints them: one module for each family of kinds, and a generic description."""
