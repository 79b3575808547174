"""Chapter 03: recurrent networks."""
