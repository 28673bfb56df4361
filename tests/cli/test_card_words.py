"""The words of cards are TOML files of the editions, and a mistake in one is an error that names its place."""

from pathlib import Path

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.texts import read_texts
from roborally_env.cards.listing import list_cards
from roborally_env.cards.words import read_words

ONE = '[upgrade.boink]\ntitle = "Boink"\nrule = "A step."\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "cards.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_edition_has_the_words_of_another_where_it_has_none_of_its_own(tmp_path: Path) -> None:
    base = read_words(written(tmp_path, ONE + '[every]\nupgrade = ["One a round."]\n'))
    found = read_words(written(tmp_path, '[upgrade.boink]\nwhen = "own turn"\n'), base)
    assert found.of("upgrade", "boink") == base.of("upgrade", "boink")._replace(when="own turn")
    assert found.every == {"upgrade": ("One a round.",)}


WRONG = {
    "upgrade.boink.rul": '[upgrade.boink]\nrul = "A step."\n',
    "upgrade.boink": '[upgrade.boink]\ntitle = "Boink"\n',
    "upgrade.boink.rulings": ONE + 'rulings = "R1"\n',
    "upgrade.boink.when": ONE + "when = 3\n",
    "upgrades": '[upgrades.boink]\ntitle = "Boink"\n',
    "every.upgrade": ONE + '[every]\nupgrade = "One a round."\n',
    "line 1": "[upgrade.boink\n",
}


@pytest.mark.parametrize("place", WRONG)
def test_a_mistake_is_one_line_with_the_file_and_the_key(tmp_path: Path, place: str) -> None:
    with pytest.raises(RoboRallyError, match=r"cards\.toml") as error:
        read_words(written(tmp_path, WRONG[place]))
    assert place in str(error.value)
    assert "\n" not in str(error.value)


def test_words_that_are_missing_are_named() -> None:
    with pytest.raises(RoboRallyError, match="zoop"):
        read_words(Path(__file__).parents[2] / "roborally_env/editions/e2005/cards.toml").of("upgrade", "zoop")


def test_texts_are_tables_of_texts(tmp_path: Path) -> None:
    for text, place in (("[event]\nmove = 1\n", "event.move"), ("event = 1\n", "event")):
        path = tmp_path / f"{place}.toml"
        path.write_text(text)
        with pytest.raises(RoboRallyError, match=place):
            read_texts(path)


def test_rules_for_every_card_of_a_kind_belong_to_the_edition() -> None:
    every = {
        card.edition: card.every for name in ("2016", "2023", "community") for card in list_cards(name) if card.cost
    }
    assert len(set(every.values())) == 3
    assert all(every.values())
