"""The commands, one module each: options, and a call to the code that does the work. Imported on demand."""
