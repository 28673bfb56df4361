"""Scenarios of the 2023 edition: what its upgrade phase says beside the rules of 2016."""
