"""Where specifications come from: files, addresses, clusters and packages."""
