"""Real CustomResourceDefinitions and random objects of them: a real API server's responses, and the cluster's."""
