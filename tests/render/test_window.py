"""render_mode "human": a window, or one clear line where there can be none."""

import os
import sys
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError, parallel_env
from roborally_env.render.window import Window

pygame: Any = pytest.importorskip("pygame")
FRAME = np.full((40, 60, 3), (10, 200, 30), np.uint8)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL's driver that shows nothing, chosen by name."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.mark.usefixtures("screen")
def test_a_frame_is_shown_as_it_is() -> None:
    window = Window("race", 1000)
    window.show(FRAME)
    surface = pygame.display.get_surface()
    assert surface.get_size() == (60, 40)
    np.testing.assert_array_equal(pygame.surfarray.array3d(surface).transpose(1, 0, 2), FRAME)
    window.show(np.zeros((20, 30, 3), np.uint8))
    assert pygame.display.get_surface().get_size() == (30, 20)
    window.close()
    assert not pygame.display.get_init()


@pytest.mark.usefixtures("screen")
@pytest.mark.parametrize(("event", "more"), [(pygame.QUIT, {}), (pygame.KEYDOWN, {"key": pygame.K_ESCAPE})])
def test_its_user_can_close_it_for_good(event: int, more: dict[str, int]) -> None:
    window = Window("race", 1000)
    window.show(FRAME)
    pygame.event.post(pygame.event.Event(event, **more))
    window.show(FRAME)
    assert window.closed
    assert not pygame.display.get_init()
    window.show(FRAME)
    assert not pygame.display.get_init()


@pytest.mark.usefixtures("screen")
@pytest.mark.parametrize("rules", [{"upgrades": False}, {"upgrades": True}], ids=["lighter", "upgrades"])
def test_each_reset_and_step_shows_a_frame(rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[np.ndarray] = []
    monkeypatch.setattr(Window, "show", lambda self, pixels: shown.append(pixels))
    env = parallel_env(render_mode="human", rules=rules)
    observations, _ = env.reset(seed=1)
    for number, agent in enumerate(env.agents):
        env.action_space(agent).seed(number)
    steps = 0
    while env.agents and steps < 6:
        actions = {a: env.action_space(a).sample(observations[a]["action_mask"]) for a in env.agents}
        observations = env.step(actions)[0]
        steps += 1
        assert len(shown) == 1 + steps
    assert steps > 1
    assert env.render() is None
    assert len(shown) == 2 + steps
    assert shown[0].shape == (708, 800, 3)
    assert any((shown[0] != later).any() for later in shown)


@pytest.mark.usefixtures("screen")
def test_an_env_opens_and_closes_its_window() -> None:
    env = parallel_env(render_mode="human", render_size=300)
    assert not pygame.display.get_init()
    env.reset(seed=1)
    assert max(pygame.display.get_surface().get_size()) == 300
    env.close()
    assert not pygame.display.get_init()
    env.close()


@pytest.mark.parametrize("display", [None, ":97"])
def test_without_a_display_one_line_says_so(display: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    if display:
        monkeypatch.setenv("DISPLAY", display)  # a server that is not there
    env = parallel_env(render_mode="human")
    with pytest.warns(RuntimeWarning, match='render_mode "human"') as warned:
        env.reset(seed=1)
    observations, _ = env.reset(seed=2)  # warns no more
    env.step({a: env.action_space(a).sample(observations[a]["action_mask"]) for a in env.agents})
    assert len(warned) == 1
    assert "\n" not in str(warned[0].message)
    assert 'render_mode="rgb_array"' in str(warned[0].message)
    assert "SDL_VIDEODRIVER" not in os.environ


def test_without_pygame_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(RoboRallyError, match=r'render_mode "human".*roborally_env\[render\]'):
        parallel_env(render_mode="human").reset(seed=1)
