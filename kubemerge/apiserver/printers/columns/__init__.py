"""Table columns by kind: titles, each with the function of its cells."""
