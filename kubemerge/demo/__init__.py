"""What `kubemerge demo` shows: commands that explain the product in a minute, and the files they are about."""
