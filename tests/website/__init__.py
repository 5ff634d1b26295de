"""The site: the build of its pages, and the checks that find their faults."""
