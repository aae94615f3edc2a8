"""The engine in the browser: the games' rules and search as WebAssembly modules, made of the same source."""
