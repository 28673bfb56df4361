"""Self-play with a league: PPO and expert iteration in torch on BatchRace, one network for all seats and courses."""
