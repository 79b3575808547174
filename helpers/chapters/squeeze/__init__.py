"""Chapter 10: choosing the next token, and smaller models."""
