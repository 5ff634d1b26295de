"""`python -m kubemerge` is the command."""

from .main import main

main()
