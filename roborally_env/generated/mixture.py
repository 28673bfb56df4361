"""The courses of a training run: named ones, generated ones, or both, by the number of a batch; and changes of them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Container, Sequence
from functools import lru_cache

from roborally_env.base.errors import CourseError, RoboRallyError
from roborally_env.courses.catalogue import is_changed, is_generated
from roborally_env.courses.model import Course
from roborally_env.generated.draws import Draws
from roborally_env.generated.generator import Generator
from roborally_env.generated.mutation import changed_course
from roborally_env.generated.resolve import load_course
from roborally_env.generated.specification import parse_specification


class Mixture:
    """Named courses and generators, from which the batches of a training run take their courses.

    A course is spoken of by a text: its name, its path, or the specification of one generated course; with `~SEED`
    after it, it is that course with a change, as `load_course` knows it.

    Args:
        texts: names, paths and specifications, as `["dizzy_highway", "generated:seed=1,levels=100"]`.
        edition: the rules; None: those of the courses.

    Raises:
        CourseError: for an empty list, an unknown course, or a wrong specification.
    """

    def __init__(self, texts: Sequence[str], edition: str | None = None) -> None:
        if not texts:
            raise CourseError("courses: expected at least one")
        self.edition = edition
        self.named = [text for text in texts if not is_generated(text)]
        self.generators = [Generator(parse_specification(text, edition)) for text in texts if is_generated(text)]
        for name in self.named:
            self.course(name)

    def course(self, text: str) -> Course:
        """The course of a text that this class has given."""
        return _course(text, self.edition)

    def changed(self, text: str, seed: int) -> str | None:
        """The text of a course with one more change; None if it cannot be changed so."""
        found = f"{text}~{seed}"
        try:
            self.course(found)
        except RoboRallyError:
            return None
        return found

    def changes(self, text: str) -> int:
        """How many changes a course has had since it was a named or a generated one."""
        count = 0
        while text not in self.named and is_changed(text):
            text, count = text.rpartition("~")[0], count + 1
        return count

    def batch(self, number: int, seed: int, least: int, share: float) -> list[str]:
        """The courses of batch `number`: all named ones, and generated ones of its own.

        Args:
            number: from 0; equal arguments give equal courses.
            seed: another one draws other courses.
            least: how many courses there are at least, if any are generated; some may come several times.
            share: of the generated ones among them (where there are named ones too), over 0 and under 1.
        """
        generated, named = self._slots(least, share)
        found = [self.named[(number * named + i) % len(self.named)] for i in range(named)]
        taken: set[str] = set()
        draws = Draws(seed, number)
        for _ in range(generated):
            text = self.fresh(draws, taken)
            if text is None:  # all of them are in the batch: they come again
                taken.clear()
                text = self.fresh(draws, taken)
                assert text is not None
            taken.add(text)
            found.append(text)
        return found

    def fresh(self, draws: Draws, known: Container[str]) -> str | None:
        """A generated course that is none of the `known` ones; None if there is none left."""
        left = [each for each in self.generators if not _all_known(each, known)]
        if not left:
            return None
        generator = draws.one(left)
        while True:
            text = _text(generator, generator.number(draws.word()))
            if text not in known:
                return text

    def examples(self, count: int) -> list[str]:
        """Some courses to look at: the first named ones, then generated ones."""
        found = self.named[:count]
        draws = Draws(count)
        while len(found) < count and (text := self.fresh(draws, found)) is not None:
            found.append(text)
        return found

    def _slots(self, least: int, share: float) -> tuple[int, int]:
        """How many courses of a batch are generated, and how many named."""
        if not self.generators:
            return 0, len(self.named)
        if not self.named:
            return least, 0
        count = max(least, math.ceil(len(self.named) / (1.0 - share)))  # room for all named ones
        generated = int(share * count)
        return generated, count - generated


def _course(text: str, edition: str | None) -> Course:
    return _changed(text, edition) if is_changed(text) else load_course(text, edition)


@lru_cache(maxsize=512)
def _changed(text: str, edition: str | None) -> Course:
    """A course with changes. It is kept for a while, because the next change begins with it."""
    before, _, seed = text.rpartition("~")
    return changed_course(_course(before, edition), int(seed))


def _text(generator: Generator, number: int) -> str:
    return str(dataclasses.replace(generator.specification, levels=0, number=number))


def _all_known(generator: Generator, known: Container[str]) -> bool:
    """Whether every course of a generator is known. Those without end never are."""
    spec = generator.specification
    numbers = [spec.number] if spec.number is not None else range(spec.levels)
    return len(numbers) > 0 and all(_text(generator, number) in known for number in numbers)
