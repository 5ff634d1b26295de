"""Custom resources, whose lists merge by the keys of their own schema."""
