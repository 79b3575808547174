"""Chapter 07: contrastive learning."""
