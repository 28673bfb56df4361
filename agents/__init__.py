"""Bots: one batched protocol for all of them."""
