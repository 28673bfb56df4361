"""The 2023 edition: the complete 2016 game with another upgrade phase."""
