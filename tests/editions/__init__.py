"""Editions from outside the package."""
