"""Who owns which field of live objects, beside their values. What is printed on a terminal belongs in `cli`."""
