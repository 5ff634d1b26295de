"""Objects that kill the process that looks at them, or keep it."""
