"""What `set` changes in objects: images, variables, resources, selectors, service accounts and subjects.

A change takes an object and returns another one, or refuses.
"""
