"""Chapter 08: retrieval and reading."""
