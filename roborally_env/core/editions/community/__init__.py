"""The rules of the community edition that differ from those of 2016 (rulebook: community rules; docs/rulings.md)."""
