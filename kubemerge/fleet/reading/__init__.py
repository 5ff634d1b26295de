"""Dumps of clusters as texts of single objects: the files, their division into parts, and the content of a part."""
