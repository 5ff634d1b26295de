"""What lint found, in the form that a person, a program, a code host or a build server reads."""
