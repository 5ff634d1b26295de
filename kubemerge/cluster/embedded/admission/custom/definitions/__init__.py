"""CustomResourceDefinitions themselves: what is filled in, what is refused, and what a server says of them."""
