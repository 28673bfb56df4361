"""PPO from the observation: one network plays every seat, and chooses a program card by card."""
