"""The site: how its pages are made, and that what looks at it sees what is wrong."""
