"""The columns of kubectl's tables, kind by kind: titles with the cells below them, and no code of their own."""
