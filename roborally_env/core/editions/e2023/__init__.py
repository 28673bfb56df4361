"""The upgrade phase of the 2023 edition: upgrades are drawn, installed and uninstalled."""
