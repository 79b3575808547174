"""Chapter 05: transformers."""
