"""The overrides of the community edition: all that it plays differently from the 2016 edition."""

from roborally_env.compiling.hooks import Constant
from roborally_env.core import cards, upgrades
from roborally_env.core.driving.advance import play_step, submit_programs
from roborally_env.core.driving.rewards import finishing_place, write_counters
from roborally_env.core.editions.community import (
    alone,
    carrying,
    damage,
    destruction,
    fields,
    firing,
    heights,
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
)
from roborally_env.core.editions.community.destruction import settle_virtual
from roborally_env.core.editions.community.steps import REGISTER_STEPS, STEP_NAMES
from roborally_env.core.editions.e2016 import rules as e2016
from roborally_env.core.editions.e2016.steps import UPGRADE_PHASE
from roborally_env.core.editions.e2016.upgrades.hands import registers_to_fill
from roborally_env.core.editions.e2016.upgrades.moving import (
    arrive,
    can_step,
    end_act,
    free_cell,
    is_blocked,
    push_aside,
    robot_before,
    shift_by_card,
    takes_part,
)
from roborally_env.core.editions.e2016.upgrades.specials import heal_routine
from roborally_env.core.editions.e2016.upgrades.weapons import can_hit
from roborally_env.core.mechanics.belts import carried_to, in_the_way, land, levels_down, settle_falls, stays
from roborally_env.core.mechanics.lasers import first_in_beam, silent, target_in
from roborally_env.core.mechanics.movement import cost_of_step, is_gone, robot_at, shift_line, way
from roborally_env.core.mechanics.owned_upgrades import has_turn, is_stomped, locked
from roborally_env.core.mechanics.piles import cards_lost, take_damage
from roborally_env.core.mechanics.programs import announces_with_program, closed, legal_card, programs_now
from roborally_env.core.mechanics.reboot import reboot, reboot_for_nothing
from roborally_env.core.mechanics.setup import begin_race
from roborally_env.core.searching.alone import beside_hand, cost_of_standing, cost_to_go, most_spared
from roborally_env.core.searching.among_others import play_round, standing, submit_one, worth
from roborally_env.core.searching.best_list import closed_and_damage, closed_or_short, not_to_fill
from roborally_env.core.searching.distances import (
    activate_belts_and_machines,
    play_alone,
    registers_of_tracks,
    set_ramps,
    state_of_reentry,
    switches_ramps,
)
from roborally_env.core.searching.plan_tables import planned_at
from roborally_env.core.seeing.observe import observe_symbolic
from roborally_env.core.seeing.parts import layout
from roborally_env.core.seeing.planes import mark_course, virtual
from roborally_env.core.seeing.random_actions import round_of, sample_program
from roborally_env.core.seeing.redeal import redeal_others
from roborally_env.core.soundness import fault_of_edition, turns_of_step

OVERRIDES = {
    closed: programming.closed,
    legal_card: programming.legal_card,
    announces_with_program: programming.announces_with_program,
    programs_now: damage.programs_now,
    play_step: race.play_step,
    submit_programs: programming.submit_programs,
    finishing_place: rewards.finishing_place,
    write_counters: rewards.write_counters,
    arrive: moving.arrive,
    robot_before: moving.robot_before,
    is_blocked: moving.is_blocked,
    can_step: moving.can_step,
    free_cell: moving.free_cell,
    shift_by_card: moving.shift_by_card,
    push_aside: moving.push_aside,
    end_act: settle_virtual,
    heal_routine: damage.repair,
    can_hit: firing.can_hit,
    carried_to: carrying.carried_to,
    levels_down: carrying.levels_down,
    land: carrying.land,
    settle_falls: destruction.destroy_fallen,
    stays: carrying.stays,
    first_in_beam: firing.first_in_beam,
    target_in: firing.target_in,
    way: heights.way,
    robot_at: moving.real_robot_at,
    shift_line: moving.shift_line,
    take_damage: damage.take_token,
    reboot: destruction.destroy,
    reboot_for_nothing: destruction.leave_unhurt,
    begin_race: set_up.begin_race,
    not_to_fill: closed_or_short,
    most_spared: search.most_spared,
    cost_of_standing: search.cost_of_standing,
    cost_to_go: search.cost_to_go,
    beside_hand: closed_and_damage,
    submit_one: programming.submit_one,
    play_round: search.play_round,
    worth: search.worth,
    standing: search.standing,
    activate_belts_and_machines: alone.activate,
    play_alone: alone.play_alone,
    observe_symbolic: observation.observe_symbolic,
    mark_course: planes.mark_course,
    redeal_others: redeal.redeal_others,
    sample_program: sampling.sample_program,
    in_the_way: moving.in_the_way,
    silent: firing.silent,
    locked: damage.locked,
    has_turn: damage.has_turn,
    is_stomped: damage.is_stomped,
    is_gone: moving.is_gone,
    cost_of_step: moving.cost_of_step,
    cards_lost: damage.cards_lost,
    set_ramps: alone.set_ramps,
    registers_of_tracks: alone.registers_of_tracks,
    state_of_reentry: alone.state_of_reentry,
    switches_ramps: alone.switches_ramps,
    planned_at: alone.planned_at,
    virtual: planes.virtual,
    round_of: sampling.round_of,
    registers_to_fill: damage.registers_to_fill,
    takes_part: moving.takes_part,
    turns_of_step: soundness.turns_of_step,
    fault_of_edition: soundness.fault_of_edition,
}

KIND = e2016.COMPLETE._replace(
    name="community",
    edition="community",
    fields=e2016.COMPLETE.fields + fields.FIELDS,
    parts=parts.parts,
    planes=planes.PLANES,
    step_names=STEP_NAMES,
    start=(("step", UPGRADE_PHASE), ("damage_pile", 0)),
    register_steps=REGISTER_STEPS,
    closing_steps=("end_round",),
    card_names=cards.ALL_NAMES,
    upgrade_numbers=upgrades.COMMUNITY_DECK,
)
KINDS = ((KIND, {**e2016.OVERRIDES, **OVERRIDES, layout: Constant(parts.LAYOUT)}),)
