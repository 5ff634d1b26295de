"""The parts of `get` beyond a list of objects: raw paths and watches."""
