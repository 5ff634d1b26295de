"""Real CustomResourceDefinitions and random objects of them: what a real API server says, and what the cluster says."""
