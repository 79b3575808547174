"""The attacks by class, one module each; the docstring of a module is the name of its class."""
