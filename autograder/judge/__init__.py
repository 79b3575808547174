"""The judge: check cells run here, with the student's names as remote proxies."""
