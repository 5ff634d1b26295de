"""The same objects in several releases: warnings, defaults and rejections of real API servers, and ours."""
