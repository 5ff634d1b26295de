"""Three-way merges of manifests in git: by field and by merge key, with every unchanged byte preserved."""
