"""What one client-side apply of one object is: last-applied, the patch, the outcome, its reasons, and moving fields."""
