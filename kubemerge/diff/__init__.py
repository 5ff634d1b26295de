"""What differs between an object before and after, as `kubectl diff` shows it."""
