"""Effects of an upgrade on an object: removed versions, dropped fields, rejections, defaults, merge results."""
