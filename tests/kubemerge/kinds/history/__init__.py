"""Plugins, annotations and labels in the source code of each release, beside the table of hazards."""
