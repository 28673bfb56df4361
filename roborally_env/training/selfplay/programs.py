"""Programs of many seats at once: drawn from the network, traced, and scored with gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F

from roborally_env.agents.candidates import MOST
from roborally_env.agents.network import DOWN
from roborally_env.agents.power_down import FROM_TOKENS
from roborally_env.batch import BatchRace
from roborally_env.training.selfplay.network import Network
from roborally_env.training.selfplay.tables import Table, chance, tensor


@dataclass
class Programs:
    """Program decisions of n seats, as arrays with n rows."""

    own: np.ndarray
    others: np.ndarray
    candidates: np.ndarray  # [n, MOST, CANDIDATE]
    counts: np.ndarray  # [n]
    slots: np.ndarray  # [n, 5]: hand slots
    choice: np.ndarray  # [n]: number of the submitted candidate; -1: another program
    expert: np.ndarray  # [n, MOST]: chance to win after each candidate; -1 for those that were not simulated
    down: np.ndarray  # [n]: power down announced; -1 where that was no choice
    locked: np.ndarray  # [n]: prior log-odds of that
    theirs: np.ndarray  # [n, P - 1, card]; no columns without a central critic
    logp: np.ndarray  # [n]
    value: np.ndarray  # [n]
    win: np.ndarray  # [n]


@torch.no_grad()
def decide(
    net: Network,
    table: Table,
    games: np.ndarray,
    seats: np.ndarray,
    generator: torch.Generator,
    given: np.ndarray | None = None,
    announced: np.ndarray | None = None,
) -> Programs:
    """Draw a program for each seat from the network, or trace the programs `given` [n, 5] of another agent."""
    device = next(net.parameters()).device
    features, batch, options = table.features, table.batch, table.options
    own, others = features.positions(games, seats)
    n = len(games)
    deals = np.asarray(options.deals)[torch.randint(len(options.deals), (n,), generator=generator).numpy()]
    candidates, programs, counts = table.candidates.of(games, seats, deals)
    position = net.position(tensor(own, device), tensor(others, device))
    rows = tensor(candidates, device)
    units = net.units(position, rows)
    scores = net.scores(units, rows, tensor(counts, device))
    theirs = table.theirs(games, seats) if net.hands is not None else np.zeros((len(games), 0, 0), np.float32)
    value = net.critic(position, units, tensor(theirs, device))
    if given is None:
        uniform = torch.rand(n, MOST, generator=generator).to(device)
        choice = (scores - torch.log(-torch.log(uniform.clamp(1e-9, 1 - 1e-7)))).argmax(1).cpu().numpy()
        slots = programs[np.arange(n), choice]
    else:
        choice, slots = number_of(batch, games, seats, programs, counts, given), given
    chosen = tensor(np.maximum(choice, 0), device)
    logp = F.log_softmax(scores, 1).gather(1, chosen[:, None]).squeeze(1)
    expert = np.full((n, MOST), -1.0, np.float32)
    if options.expert and given is None:
        wanted = np.flatnonzero(torch.rand(n, generator=generator).numpy() < options.expert)
        if len(wanted):
            tried = to_try(scores.cpu()[wanted], counts[wanted], choice[wanted], options.expert_candidates, generator)
            some = np.take_along_axis(programs[wanted], tried[..., None], 1)
            found = table.candidates.chances(
                games[wanted], seats[wanted], options.expert_deals, some,
                np.minimum(counts[wanted], tried.shape[1]), options.expert_rounds,
            )  # fmt: skip
            found[np.arange(found.shape[1]) >= counts[wanted][:, None]] = -1.0
            labels = expert[wanted]
            np.put_along_axis(labels, tried, found, 1)
            expert[wanted] = labels
    down, locked = np.full(n, -1, np.int8), np.zeros(n, np.float32)
    may = batch.may_announce[games, seats]
    if may.any():
        locked = np.where(batch.games["damage"][games, seats] >= FROM_TOKENS, DOWN, -DOWN)
        scores = net.down(position).squeeze(1) + tensor(locked, device)
        if announced is None:
            yes = torch.rand(n, generator=generator).to(device) < torch.sigmoid(scores)
        else:
            yes = tensor(announced == 1, device)
        down = np.where(may, yes.cpu().numpy(), -1).astype(np.int8)
        logp += torch.where(tensor(may, device), F.logsigmoid(torch.where(yes, scores, -scores)), 0.0)
    return Programs(
        own, others, candidates, counts, slots, choice, expert, down, locked, theirs,
        logp.cpu().numpy(), value.cpu().numpy(), chance(net, table, position, games, seats),
    )  # fmt: skip


def to_try(
    scores: torch.Tensor, counts: np.ndarray, choice: np.ndarray, most: int, generator: torch.Generator
) -> np.ndarray:
    """int64 [n, m]: the numbers of up to `most` candidates of each row that are simulated for the expert, real ones
    before those that only fill up the row.

    They are the first candidate, the one that was played (`choice`), half as many as the most by the highest `scores`
    [n, MOST], and any of the others, so that the network learns of all of them.
    """
    n, width = scores.shape
    most = min(most, width)
    order = torch.rand(n, width, generator=generator).numpy()
    best = scores.argsort(1, descending=True)[:, : most // 2].numpy()
    np.put_along_axis(order, best, 1.0 + np.take_along_axis(order, best, 1), 1)
    order[np.arange(width) >= counts[:, None]] = -1.0
    order[np.arange(n), choice] = order[:, 0] = 2.0
    return np.ascontiguousarray((-order).argsort(1, kind="stable")[:, :most])


def number_of(
    batch: BatchRace, games: np.ndarray, seats: np.ndarray, programs: np.ndarray, counts: np.ndarray, given: np.ndarray
) -> np.ndarray:
    """int64 [n]: the number of the candidate that has the cards of the program given; -1 if none has."""
    hands = batch.games["hand"][games, seats]
    wanted = np.take_along_axis(hands, given.astype(np.int64), 1)
    cards = np.take_along_axis(hands[:, None], programs.astype(np.int64), 2)
    there = np.arange(MOST) < counts[:, None]
    same = (cards == wanted[:, None]).all(2) & there
    return np.where(same.any(1), same.argmax(1), -1)


Scores = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor | None]


def score_programs(net: Network, p: dict[str, torch.Tensor]) -> Scores:
    """(log-probability, entropy, value, log-odds to win, scores) of programs that were laid, with gradients."""
    position = net.position(p["own"], p["others"])
    units = net.units(position, p["candidates"])
    scores = net.scores(units, p["candidates"], p["counts"])
    logs = F.log_softmax(scores, 1)
    logp = logs.gather(1, p["choice"].clamp(min=0)[:, None]).squeeze(1) * (p["choice"] >= 0)
    entropy = -(logs.exp() * logs.clamp(min=-50.0)).sum(1)
    wanted = p["down"] >= 0
    score = net.down(position).squeeze(1) + p["locked"]
    logp = logp + torch.where(wanted, F.logsigmoid(torch.where(p["down"] == 1, score, -score)), 0.0)
    value = net.critic(position, units, p["theirs"])
    return logp, entropy, value, net.win(position), scores
