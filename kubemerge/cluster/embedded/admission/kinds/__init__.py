"""What a server does with the objects of each built-in kind: one record for each, found through `table.find`."""
