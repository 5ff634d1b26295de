"""What a change of manifests does, told on its pull request: the steps of the GitHub Action (`action.yml`)."""
