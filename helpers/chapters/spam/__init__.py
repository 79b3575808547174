"""Chapter 01: spam."""
