"""The tables of what was learned and what it cost, from `results/learning` and the cards of RoboRally-Bench."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs_results import results, shown

from roborally_env.courses import load_course
from roborally_env.evaluation.benchmark import percent

RESULTS = Path(__file__).parents[2] / "results" / "learning"
MEASURES = {
    "value": "log loss below that of the distances, in thousandths",
    "learned": "`learned` won",
    "search": "`learned-search:trust=1` won",
}
SETS = ("training", "unseen", "printed")


def generalisation() -> Iterator[str]:
    """A row for each measure and number of training courses, a column for each set of courses."""
    rows = json.loads((RESULTS / "generalisation.json").read_text(encoding="utf-8"))["rows"]
    yield "| measured | training courses | on these | on unseen generated ones | on the printed ones |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for measure, title in MEASURES.items():
        for levels in dict.fromkeys(row["levels"] for row in rows if row["measure"] == measure):
            found = {row["set"]: row for row in rows if (row["measure"], row["levels"]) == (measure, levels)}
            cells = (_number(found[each]) if each in found else "" for each in SETS)
            yield f"| {title} | {_courses(levels)} | {' | '.join(cells)} |"


GAMES = {
    "complete": "2016",
    "lighter": "2016, lighter game",
    "2023": "2023",
    "2005": "2005",
    "community": "community edition",
}


def ppo() -> Iterator[str]:
    """A row for each run of `scripts/experiments/ppo_results.py`."""
    runs = json.loads((RESULTS / "ppo.json").read_text(encoding="utf-8"))["runs"]
    shown = "won against three `greedy`: all courses | training courses | test courses | all courses, the policy alone"
    yield f"| game | decisions | minutes | {shown} |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for game, run in runs.items():
        scores = [
            *(percent(run["scores"][name]) for name in ("all", "training", "test")),
            percent(run["policy"]["all"]),
        ]
        yield f"| {GAMES[game]} | {run['decisions']:,} | {run['seconds'] / 60:.0f} | {' | '.join(scores)} |"


def learning_track() -> Iterator[str]:
    """A row for each learner in the files of `scripts/learning_track.py`."""
    files = sorted(RESULTS.glob("track_*.json"))
    if not files:
        yield "No row has been run to its end yet."
        return
    sets = {"training": "training courses", "test": "test courses", "generated": "unseen generated ones"}
    yield f"| learner | decisions | game, robots | runs | {' | '.join(sets.values())} | better than PPO | minutes |"
    yield f"| --- | ---: | --- | ---: | {' | '.join('---:' for _ in sets)} | ---: | ---: |"
    all_found = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    for found in sorted(all_found, key=lambda found: int(found["protocol"]["decisions"])):
        about = found["protocol"]
        for row in found["rows"].values():
            runs = row["seeds"].values()
            minutes = sum(run["seconds"] for run in runs) / len(runs) / 60
            cells = [row["title"], f"{about['decisions']:,}", f"{about['game']}, {about['players']}", str(len(runs))]
            several = len(runs) > 1  # else there is no interval
            cells += [percent(row[name]) if several else f"{100 * row[name]['score']:.1f}%" for name in sets]
            better = row.get("better_than_ppo") if several else None
            cells += [percent(better) if better else "", f"{minutes:.0f}"]
            yield f"| {' | '.join(cells)} |"


def cross_play() -> Iterator[str]:
    """Who wins against whom, and the ratings, by `roborally crossplay`."""
    found = results("learning/crossplay_2016")
    won = {(cell["agent"], cell["against"]): f"{100 * cell['win_rate']:.0f}%" for cell in found["matrix"]}
    names = [row["agent"] for row in found["ratings"]]
    yield f"| alone | {' | '.join(f'against `{name}`' for name in names)} | rating |"
    yield f"| --- | {' | '.join('---:' for _ in names)} | ---: |"
    for row in found["ratings"]:
        cells = [won.get((row["agent"], name), "") for name in names]
        rating = f"{row['rating']:.0f} ({row['low']:.0f} to {row['high']:.0f})"
        yield f"| `{row['agent']}` | {' | '.join(cells)} | {rating} |"


def _courses(levels: int) -> str:
    return {0: "without end", -1: "none: untrained"}.get(levels, f"{levels:,}")


def _number(row: dict[str, Any]) -> str:
    """The value with its interval: log losses in thousandths, shares in percent."""
    value, low, high = (row[name] for name in ("value", "low", "high"))
    if row["measure"] == "value":
        return f"{1000 * value:.1f} ({1000 * low:.1f} to {1000 * high:.1f})"
    return f"{100 * value:.0f}% ({100 * low:.0f} - {100 * high:.0f})"


def trainings() -> Iterator[str]:
    """A row for each training of `scripts/experiments/learning_curves.py`."""
    found = json.loads((RESULTS / "curves.json").read_text(encoding="utf-8"))["runs"]
    yield "| training | decisions | decisions/s | share of the environment | against 3 `random` | against 3 `greedy` |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, title in {"ppo": "`roborally train ppo`", "sb3": "`roborally train sb3`"}.items():
        run = found[name]
        last = {row["against"]: row for row in run["races"]}  # the final evaluations stand last
        won = (
            f"{row['win_rate']:.0%} ({100 * row['win_low']:.0f} - {100 * row['win_high']:.0f}) of {row['races']}"
            for row in (last["random"], last["greedy"])
        )
        share = "" if run["share_env"] is None else f"{100 * run['share_env']:.1f}%"
        speed = f"{run['rate']:,.0f} | {share}"
        yield f"| {title} | {run['decisions']:,} | {speed} | {' | '.join(won)} |"


def actors() -> Iterator[str]:
    """A row for each run of `scripts/experiments/bench_actors.py`."""
    titles = ("actors", "decisions/s here", "`share/wait`", "learner, s", "actors, s", "one learner is enough for")
    yield f"| `train selfplay` | {' | '.join(titles)} |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in json.loads((RESULTS / "actors.json").read_text(encoding="utf-8")):
        thousands = row["decisions"] / 1000
        name = row["options"] if row["options"] == "by default" else f"`{row['options']}`"
        cells = [name, row["actors"] or "none", f"{row['decisions'] / row['seconds']:,.0f}"]
        if row["actors"]:
            most = row["playing"] / row["learner"]
            cells += [f"{row['wait']:.0%}", f"{row['learner'] / thousands:.2f}", f"{row['playing'] / thousands:.2f}"]
            cells += [f"{most:.1f} actors"]
        else:
            cells += ["", f"{row['learner'] / thousands:.2f}", "", ""]
        yield f"| {' | '.join(map(str, cells))} |"


EDITIONS = ("2016", "2023", "2005", "community")


def learned() -> Iterator[str]:
    """The results of `learned` in each edition, from the cards of RoboRally-Bench."""
    yield "| edition | all courses | training courses | test courses | lowest course |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for edition in EDITIONS:
        against = results(f"{edition}_learned")["against"]["greedy"]
        scores = (percent(against["scores"][name]) for name in ("all", "training", "test"))
        lowest = min(against["courses"], key=lambda row: row["score"])
        title = load_course(lowest["course"], edition).title
        yield f"| {edition} | {' | '.join(scores)} | {100 * lowest['score']:.0f}% {title} |"


def what_brought_what() -> Iterator[str]:
    """Variants of `learned` against three greedy."""
    found = results("learning/variants")
    planner = "; ".join(
        _card(name, "2016") for name in ("planner_simulations_100", "planner", "planner_simulations_10000")
    )
    rows = {
        "`greedy`": ["25.0%"] * len(EDITIONS),
        "the network of earlier versions, card by card, 12 million decisions": _variant(found["earlier_network"]),
        "`learned:deals=0`: candidates, no deals": [_card("learned_deals_0", "2016"), "", "", ""],
        "candidates with two to twenty deals, untrained": _variant(found["untrained"]),
        "the same, trained by expert iteration (lr 1e-4)": _variant(found["expert_iteration"]),
        "the same with lr 1e-3, 80,000 decisions": _variant(found["high_learning_rate"]),
        "with purchases and power downs of `roborally train value`": _variant(found["fewer_candidates"]),
        "the best tenth one round further": _variant(found["fewer_candidates_ahead"]),
        "128 candidates in place of 64": _variant(found["more_candidates"]),
        "`learned`: four deals for all candidates, the others exactly as `greedy`, one of all twins": [
            _card("learned", edition) for edition in EDITIONS
        ],
        "`planner:simulations=100`; 1,000; 10,000": [planner, "", "", ""],
    }
    yield from (f"| agent | {' | '.join(EDITIONS)} |", "| --- | ---: | ---: | ---: | ---: |")
    yield from (f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items())


def schedules() -> Iterator[str]:
    """How `learned` shares its deals: variants against three greedy in 2016."""
    yield "| candidates | deals | each of the others plays | training courses | test courses | all | ms |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: |"
    for row in results("learning/variants")["schedules"]["rows"]:
        others = f"{row['others']} program{'s' if row['others'].startswith('one') else ''}"
        scores = " | ".join(shown(row[name]) for name in ("training", "test", "all"))
        yield f"| {row['candidates']} | {row['deals']} | {others} | {scores} | {row['mean_ms']:.1f} |"


def _card(agent: str, edition: str) -> str:
    return percent(results(f"{edition}_{agent}")["against"]["greedy"]["scores"]["all"])


def _variant(found: dict[str, Any]) -> list[str]:
    return [shown(found[edition]) if edition in found else "" for edition in EDITIONS]


def ladder() -> Iterator[str]:
    """The package's agents in 2016, from the cards."""
    agents = ("random", "greedy", "learned", "planner", "learned-search")
    yield f"| {' | '.join(f'`{agent}`' for agent in agents)} |"
    yield f"| {' | '.join('---:' for _ in agents)} |"
    yield f"| {' | '.join(_card(agent, '2016') for agent in agents)} |"


def five_at_a_table() -> Iterator[str]:
    """A row for each of five agents that raced together."""
    yield from ("| agent | won | mean place | rating |", "| --- | ---: | ---: | ---: |")
    for row in results("learning/five_at_a_table")["rows"]:
        yield f"| `{row['agent']}` | {shown(row['won'])} | {row['place']} | {row['rating']} |"


def long_training() -> Iterator[str]:
    """The evaluations of a long training by Stable-Baselines3."""
    yield from ("| decisions | against 3 `random` | against 3 `greedy` (equal: 25%) |", "| ---: | ---: | ---: |")
    for row in results("learning/sb3_long")["rows"]:
        cells = (shown(row[name]) + (f" of {row[name]['races']}" if "races" in row[name] else "") for name in BOTS)
        yield f"| {row['decisions']:,} | {' | '.join(cells)} |"


BOTS = ("random", "greedy")


def searches() -> Iterator[str]:
    """What was tried to make a search of one round stronger."""
    yield from ("| search of one round | won |", "| --- | ---: |")
    for row in results("learning/searches")["rows"]:
        yield f"| {row['search']} | {'; '.join(f'{won}%' for won in row['won'])} |"


def judged(rival: str, purchases: bool = False) -> Iterator[str]:
    """Agents by what they decide in the same positions, from `judge_decisions.py`."""
    for table in results("learning/judged"):
        if (table["rival"], table["purchases"]) != (rival, purchases):
            continue
        first = table["rows"][0]["agent"]
        compared = f"{table['decisions']:,} {'purchases' if purchases else 'programs'}, {table['deals']} deals"
        yield f"| {compared} | points a decision, beside `{first}` | decided alike | ms |"
        yield "| --- | ---: | ---: | ---: |"
        for row in table["rows"]:
            points = f"{row['points']:+.2f} ± {row['error']:.2f}" if row["agent"] != first else "0"
            yield f"| `{row['agent']}` | {points} | {100 * row['same']:.0f}% | {row['ms']:.1f} |"


def numbers_of_candidates() -> Iterator[str]:
    """What more candidates gain, by the number of simulations, in two sets of positions."""
    yield "| simulations | candidates | of these play further rounds | points a decision |"
    yield "| ---: | ---: | ---: | ---: |"
    for row in results("learning/candidates")["rows"]:
        points = (f"{gain:+.2f} ± {error:.2f}" for gain, error in zip(row["points"], row["errors"], strict=True))
        yield f"| {row['simulations']:,} | {row['candidates']:,} | {row['further']} | {'; '.join(points)} |"


def models_of_others() -> Iterator[str]:
    """What other models of the others' programs gain, by the rivals, from `judge_decisions.py`."""
    yield from ("| against three | programs | `others=mixed` | `others=search` |", "| --- | ---: | ---: | ---: |")
    for table in sorted(results("learning/models"), key=lambda table: str(table["rival"])):
        _, mixed, search = (f"{row['points']:+.2f} ± {row['error']:.2f}" for row in table["rows"])
        yield f"| `{table['rival']}` | {table['decisions']:,} | {mixed} | {search} |"


def value_at_the_end() -> Iterator[str]:
    """By what a search values the positions after the round."""
    yield from ("| at the end of the round | eleven training courses | eight test courses |", "| --- | ---: | ---: |")
    for row in results("learning/value_at_the_end")["rows"]:
        yield f"| {row['search']} | {row['training']}% | {row['test']}% |"


def speed() -> Iterator[str]:
    """The speed of `train selfplay`, and what takes the time."""
    parts = ("environment", "policy", "league", "update")
    yield f"| `train selfplay` | decisions/s | {' | '.join(parts)} |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for row in results("learning/speed")["rows"]:
        shares = (f"{row[part]}%" for part in parts)
        yield f"| {row['options']} | {row['decisions_per_second']:,} | {' | '.join(shares)} |"


TABLES = {
    "generalisation": generalisation,
    "trainings": trainings,
    "ppo": ppo,
    "learning track": learning_track,
    "cross play": cross_play,
    "actors": actors,
    "learned": learned,
    "what brought what": what_brought_what,
    "schedules": schedules,
    "ladder": ladder,
    "five at a table": five_at_a_table,
    "long training": long_training,
    "judged programs": lambda: judged("greedy"),
    "judged purchases": lambda: judged("greedy", purchases=True),
    "judged against planner": lambda: judged("planner"),
    "numbers of candidates": numbers_of_candidates,
    "models of others": models_of_others,
    "searches": searches,
    "value at the end": value_at_the_end,
    "speed of selfplay": speed,
}
