"""Chapter 11: beyond."""
