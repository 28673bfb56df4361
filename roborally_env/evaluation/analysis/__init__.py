"""Tables and pictures of results, for notebooks and scripts.

Tables are pandas DataFrames, pictures matplotlib Axes. Every `plot_...` draws into `ax`, or into a figure of its own,
and returns the Axes. Both libraries come with `pip install "roborally_env[notebooks]"`.

from roborally_env.evaluation import analysis
from roborally_env.evaluation.tournament import evaluate

result = evaluate(["planner", "greedy", "random"], "twister", games=60, seed=1)
print(analysis.tournament_table(result))
events = analysis.race_events(result, kinds=analysis.DEATHS)
analysis.plot_deaths(events, "twister").figure.savefig("deaths.png")
"""

from roborally_env.evaluation.analysis.checkpoints import checkpoint_table, checkpoint_times, plot_checkpoint_times
from roborally_env.evaluation.analysis.curves import plot_curves, read_curves
from roborally_env.evaluation.analysis.deaths import DEATHS, plot_deaths
from roborally_env.evaluation.analysis.events import race_events, replay_events
from roborally_env.evaluation.analysis.extras import use_style
from roborally_env.evaluation.analysis.pictures import plot_course, plot_race
from roborally_env.evaluation.analysis.programs import hand_of, plot_program, program_table, situation
from roborally_env.evaluation.analysis.reviews import plot_chances, review
from roborally_env.evaluation.analysis.standings import plot_ratings, plot_win_rates
from roborally_env.evaluation.analysis.tables import race_table, tournament_table, upgrade_table

__all__ = [
    "DEATHS",
    "checkpoint_table",
    "checkpoint_times",
    "hand_of",
    "plot_chances",
    "plot_checkpoint_times",
    "plot_course",
    "plot_curves",
    "plot_deaths",
    "plot_program",
    "plot_race",
    "plot_ratings",
    "plot_win_rates",
    "program_table",
    "race_events",
    "race_table",
    "read_curves",
    "replay_events",
    "review",
    "situation",
    "tournament_table",
    "upgrade_table",
    "use_style",
]
