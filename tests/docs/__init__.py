"""The commands and programs of the documentation are run, and print the documented output."""
