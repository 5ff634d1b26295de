"""Server-side apply as kubectl does it, and the names by which its commands are booked."""
