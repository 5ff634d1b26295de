"""What becomes of an object from one release to the next: gone, dropped, refused, filled in or merged otherwise."""
