"""Dumps of clusters as texts of single objects: which files there are, how they are cut, and what is in a part."""
