"""Random and recorded three-way merges of manifests, judged without the merge driver's own rules."""
