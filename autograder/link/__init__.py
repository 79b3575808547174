"""How the trusted processes talk to each other and to the runner."""
