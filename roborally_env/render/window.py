"""A window that shows frames, by pygame."""

import os
import sys
import warnings
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from roborally_env.render.png import needed

if TYPE_CHECKING:
    from pygame.time import Clock


_NO_SCREEN = ("dummy", "offscreen")  # SDL's drivers that show nothing
_ELSE = 'render_mode="rgb_array" gives pictures and "ansi" text without one'


class Window:
    """A window that the first frame opens, and that the user (button, Escape) or `close` closes.

    After the user has closed it, no frames are shown any more. Where there is no display, the first frame gives a
    RuntimeWarning, and none is shown.
    """

    def __init__(self, title: str, fps: float) -> None:
        """`fps` is the largest number of frames per second; `show` waits if needed."""
        self.title = title
        self.fps = fps
        self.closed = False
        self._game: ModuleType | None = None  # the pygame module, while a window is open
        self._clock: Clock

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a frame, uint8 [height, width, 3].

        Raises:
            RoboRallyError: where pygame is not installed.
        """
        if self.closed:
            return
        size = pixels.shape[1], pixels.shape[0]
        if self._game is None:
            self._game, problem = open_display()
            if self._game is None:
                self.closed = True
                warnings.warn(
                    f'render_mode "human": no display to open a window on{problem}; {_ELSE}', RuntimeWarning, 2
                )
                return
            self._clock = self._game.time.Clock()
        game = self._game
        if game.display.get_surface() is None or game.display.get_surface().get_size() != size:
            game.display.set_mode(size)
            game.display.set_caption(self.title)
        else:
            self._clock.tick(self.fps)
        surface = game.image.frombuffer(np.ascontiguousarray(pixels).tobytes(), size, "RGB")
        game.display.get_surface().blit(surface, (0, 0))
        game.display.flip()
        self.pump()

    def pump(self) -> None:
        """Handle the events of the window system, and close the window if the user wants it."""
        if self._game is None:
            return
        for event in self._game.event.get():
            escaped = event.type == self._game.KEYDOWN and event.key == self._game.K_ESCAPE
            if event.type == self._game.QUIT or escaped:
                self.close()
                self.closed = True
                return

    def close(self) -> None:
        """Close the window if it is open; the next frame opens a new one."""
        if self._game is not None:
            self._game.display.quit()
            self._game = None
        self.closed = False


def open_display() -> tuple[ModuleType | None, str]:
    """pygame with its display set up; None and a reason in brackets where there is no display.

    Raises:
        RoboRallyError: where pygame is not installed.
    """
    wanted = os.environ.get("SDL_VIDEODRIVER", "")
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not wanted and not any(os.environ.get(name) for name in screens):
        return None, " (DISPLAY is not set)"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    with needed("pygame", 'render_mode "human"'):
        import pygame
    try:
        pygame.display.init()
    except pygame.error as error:
        return None, f" ({error})"
    driver = pygame.display.get_driver()
    if driver in _NO_SCREEN and driver not in wanted:
        pygame.display.quit()
        return None, ""
    return pygame, ""
