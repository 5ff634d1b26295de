"""The columns of kubectl's tables, kind by kind: titles, each with the function of its cells."""
