"""The overrides of the 2005 edition: all that it plays differently from the defaults."""

from roborally_env.compiling.hooks import Constant
from roborally_env.core import cards2005
from roborally_env.core.driving.advance import play_step, submit_programs, turned_tables
from roborally_env.core.driving.rewards import contenders, finishing_place, write_counters
from roborally_env.core.editions.e2005 import (
    alone,
    destruction,
    fields,
    firing,
    flags,
    locks,
    moving,
    observation,
    parts,
    planes,
    programming,
    race,
    redeal,
    rewards,
    sampling,
    search,
    set_up,
    soundness,
    specials,
)
from roborally_env.core.editions.e2005.steps import CLOSING_STEPS, REGISTER_STEPS, SET_UP, STEP_NAMES
from roborally_env.core.mechanics.belts import place_of_lost, settle_falls, turned_by_board
from roborally_env.core.mechanics.lasers import note_direction
from roborally_env.core.mechanics.owned_upgrades import locked
from roborally_env.core.mechanics.programs import announces_with_program, closed, legal_card, programs_now
from roborally_env.core.mechanics.reboot import reboot
from roborally_env.core.mechanics.setup import begin_race
from roborally_env.core.searching.alone import (
    beside_hand,
    best_by_falling,
    cost_to_go,
    hand_tells,
    kind_of_card,
    most_spared,
)
from roborally_env.core.searching.among_others import in_one_team, play_round, standing, submit_one, worth
from roborally_env.core.searching.best_list import closed_or_short, not_to_fill
from roborally_env.core.searching.distances import (
    FAR,
    activate_belts_and_machines,
    cell_to_go_from,
    cost_of_falls,
    costs_of_actions,
    next_checkpoint,
    next_in_order,
    play_alone,
)
from roborally_env.core.searching.plan_tables import back_at
from roborally_env.core.seeing.observe import observe_symbolic
from roborally_env.core.seeing.parts import layout
from roborally_env.core.seeing.planes import mark_course, marker_of
from roborally_env.core.seeing.random_actions import sample_program
from roborally_env.core.seeing.redeal import redeal_others
from roborally_env.core.soundness import (
    fault_of_edition,
    may_be_away,
    may_be_nowhere,
    may_lack_start,
    turns_of_step,
)
from roborally_env.core.state import Kind

OVERRIDES = {
    closed: locks.closed,
    legal_card: Constant(True),
    announces_with_program: programming.announces_with_program,
    programs_now: locks.programs_now,
    locked: locks.locked,
    costs_of_actions: Constant(alone.COSTS_2005),
    cost_of_falls: Constant(FAR),
    back_at: alone.back_at,
    beside_hand: search.beside_hand,
    hand_tells: search.hand_tells,
    play_step: race.play_step,
    submit_programs: programming.submit_programs,
    finishing_place: rewards.finishing_place,
    contenders: rewards.contenders,
    write_counters: rewards.write_counters,
    settle_falls: destruction.destroy_fallen,
    place_of_lost: flags.place_of_lost,
    reboot: destruction.destroy,
    begin_race: set_up.begin_race,
    kind_of_card: search.kind_of_card,
    cost_to_go: search.cost_to_go,
    not_to_fill: closed_or_short,
    most_spared: search.most_spared,
    best_by_falling: search.best_by_falling,
    submit_one: search.submit_one,
    play_round: search.play_round,
    worth: search.worth,
    standing: search.standing,
    activate_belts_and_machines: alone.activate,
    play_alone: alone.play_alone,
    next_checkpoint: specials.next_flag,
    next_in_order: specials.next_in_order,
    cell_to_go_from: alone.cell_to_go_from,
    observe_symbolic: observation.observe_symbolic,
    mark_course: planes.mark_course,
    redeal_others: redeal.redeal_others,
    sample_program: sampling.sample_program,
    turned_by_board: moving.turned_by_board,
    note_direction: firing.note_direction,
    in_one_team: search.in_one_team,
    marker_of: planes.marker_of,
    turned_tables: programming.turned_tables,
    turns_of_step: soundness.turns_of_step,
    may_be_away: soundness.may_be_away,
    may_be_nowhere: soundness.may_be_nowhere,
    may_lack_start: soundness.may_lack_start,
    fault_of_edition: soundness.fault_of_edition,
}

KIND = Kind(
    "2005",
    "2005",
    fields.FIELDS,
    parts.parts,
    planes=planes.PLANES,
    step_names=STEP_NAMES,
    start=(("step", SET_UP),),
    register_steps=REGISTER_STEPS,
    closing_steps=CLOSING_STEPS,
    card_names=cards2005.NAMES,
    round_word="turn",
    hand=fields.HAND,
    answers=fields.ANSWERS,
    seats=8,
    portable_seats=(4, 8),
)
KINDS = ((KIND, {**OVERRIDES, layout: Constant(parts.LAYOUT)}),)
