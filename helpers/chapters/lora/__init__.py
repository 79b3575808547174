"""Chapter 09: adapters, instruction tuning, preferences."""
