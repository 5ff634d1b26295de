"""CustomResourceDefinitions: defaults, validation, conversion and status."""
