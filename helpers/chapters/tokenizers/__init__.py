"""Chapter 06: tokenizers."""
