"""Files of a repository other than objects: other YAML, files tracked by git, sources of rendered text, settings."""
