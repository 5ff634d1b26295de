"""Who asks which server: kubeconfigs, and the credentials that they name."""
