"""Fixtures of more than one module."""

from quick_course import course, made, quick_pages

__all__ = ["course", "made", "quick_pages"]
