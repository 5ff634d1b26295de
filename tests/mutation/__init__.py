"""Mutation testing of the engine: small faults are put into it one at a time, and some test has to fail for each."""
