"""What API servers of each release make of every field, recorded from real servers, and the comparison with ours."""
