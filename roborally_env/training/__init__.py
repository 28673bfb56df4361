"""Training of policies, as `roborally train` runs it: by PPO from the observation (`ppo`), with Stable-Baselines3
(`sb3`), by self-play against a league (`selfplay`), and of the chance to win alone (`value`). Needs the extra `train`;
the modules `options` do not."""
