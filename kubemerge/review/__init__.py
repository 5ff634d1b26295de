"""The steps of the GitHub Action (`action.yml`), and the pull request comment about changed manifests."""
