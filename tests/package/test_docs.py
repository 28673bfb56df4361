"""The docs say what the code does: tables are up to date, the code on the pages runs, and they make a site."""

import importlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from tests import forked
from tests.sizes import each_path, some

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def write_docs(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script that writes pages."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "tables"))
    return importlib.import_module("write_docs")


PAGES = sorted((ROOT / "docs").glob("*.md"))
WRITTEN = (ROOT / "README.md", *PAGES)  # pages that docs/tables/write_docs.py writes parts of
LINKED = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "courses/README.md", *(f"docs/{path.name}" for path in PAGES))


@pytest.mark.parametrize("path", each_path(WRITTEN, slowly=("generated",)))  # which has the grades of all courses
def test_the_tables_of_a_page_are_those_of_the_simulator(path: Path, write_docs: Any) -> None:
    page = path.read_text(encoding="utf-8")
    assert page == write_docs.filled(page), "run: python docs/tables/write_docs.py"
    assert page.count("<!-- table ") == page.count("<!-- end -->") == len(write_docs.tables_in(page)), (
        "a mark is spoilt"
    )
    results = len(re.findall(r"<!-- result [^ ]+ -->[^<]+<!-- /result -->", page))
    assert page.count("<!-- result ") == page.count("<!-- /result -->") == results, "a mark is spoilt"


# percentages that are no results: confidence levels, an equal share of four robots, thresholds of code and definitions
NOMINAL = {
    "*": {"95", "25"},
    "generated": {"99", "45"},
    "review": {"4", "8", "15"},
}
# shares, differences and speeds, as pages write them
RESULT = re.compile(
    r"(?<![\d.])(\d+(?:\.\d+)?) ?%(?!\d)|\d (?:percent|points?)\b|\d (?:decisions|rounds|positions)(?:/s| a second)"
)


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_results_on_a_page_are_written_from_files(path: Path) -> None:
    """Percentages, points and speeds outside the parts that `docs/tables/write_docs.py` writes are nominal."""
    nominal = NOMINAL["*"] | NOMINAL.get(path.stem, set())
    found = [mark[0] for mark in RESULT.finditer(written_by_hand(path)) if mark[1] not in nominal]
    assert not found, "put it into a file of results/, and between <!-- result NAME --> and <!-- /result -->"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_line_begins_with_a_result(path: Path) -> None:
    """In Markdown a comment at the beginning of a line ends the paragraph."""
    found = re.findall(r"^ *<!-- result \S+", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert not found, "put it at the end of the line before"


def written_by_hand(path: Path) -> str:
    """The text of a page without code, and without what the script writes."""
    text = path.read_text(encoding="utf-8")
    for part in (r"```.*?```", r"<!-- table .*?<!-- end -->", r"<!-- result .*?<!-- /result -->", r"`[^`\n]*`"):
        text = re.sub(part, "", text, flags=re.DOTALL)
    return text


def test_a_result_that_its_file_no_longer_has_is_found(write_docs: Any) -> None:
    """The number on a page follows the card."""
    mark = "<!-- result 2016_learned/against/greedy/scores/all -->{}<!-- /result -->"
    written = write_docs.filled(mark.format("39.7%"))
    assert re.fullmatch(mark.format(r"\d+\.\d% \(\d+\.\d - \d+\.\d\)"), written)
    with pytest.raises(SystemExit, match="planner"):
        write_docs.filled("<!-- result 2005_learned/against/planner --><!-- /result -->")
    with pytest.raises(SystemExit, match="nothing"):
        write_docs.filled("<!-- result nothing/at/all --><!-- /result -->")


def test_every_table_stands_on_a_page(write_docs: Any) -> None:
    found = [name for path in PAGES for name in write_docs.tables_in(path.read_text(encoding="utf-8"))]
    assert sorted(found) == sorted(write_docs.TABLES)


def test_the_page_of_upgrades_has_every_card_and_every_decision() -> None:
    from roborally_env.cards.listing import list_cards
    from roborally_env.core import choices

    page = (ROOT / "docs" / "upgrades.md").read_text(encoding="utf-8")
    decisions = page.partition("## All decisions")[2]
    for card in (card for card in list_cards("2016") if card.cost is not None):
        assert f"| {card.title} | {card.cost} |" in page
        assert f"- **{card.title}.** " in page
        assert (f"| `{card.name}` |" in decisions) == bool(card.decision)
    for name in choices.NAMES[choices.PROGRAM : choices.UPGRADE + 1]:
        assert f"| `{name}` |" in decisions


# pages whose blocks of Python are whole programs
WHOLE = (
    "README.md",
    *sorted(f"docs/{path.name}" for path in PAGES if path.stem.startswith("edition_")),
    "docs/environment.md",
    "docs/evaluation.md",
    "docs/generated.md",
    "docs/libraries.md",
    "docs/observations.md",
    "docs/performance.md",
    "docs/play.md",
    "docs/review.md",
    "docs/security.md",
    "docs/scenarios.md",
    "docs/selfplay.md",
    "docs/text.md",
    "docs/training.md",
    "docs/watch.md",
)


# page -> the test that runs its blocks of Python
ELSEWHERE = {
    "docs/agents.md": "tests/evaluation/test_agents_page.py",
    "docs/editions.md": "tests/package/test_docs.py",
    "docs/your-own-bot.md": "tests/package/test_your_own_bot.py",
}
# what other blocks hold; in `py` is Python that needs a library of an extra which the checks do not install
OTHERS = {"", "console", "dockerfile", "json", "py", "toml"}


def test_every_block_of_python_runs_or_says_which_library_it_needs() -> None:
    for page in LINKED:
        text = (ROOT / page).read_text(encoding="utf-8")
        blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        kinds = {kind for kind, _ in blocks}
        assert kinds <= OTHERS | {"python"}, page
        assert ("python" in kinds) == (page in (*WHOLE, *ELSEWHERE)), page
        for code in (code for kind, code in blocks if kind == "py"):
            needed = set(
                re.findall(r"^(?:import|from) (supersuit|torchrl|tianshou|agilerl|optuna|jax|open_spiel)\b", code, re.M)
            )
            assert needed
            assert {name.replace("_", "") for name in needed} <= {
                *PROJECT["optional-dependencies"],
                "optuna",
            }  # which works with any program
    assert all((ROOT / test).is_file() for test in ELSEWHERE.values())


def commands() -> list[Any]:
    """The lines of the pages' blocks that call `roborally`, without comments, and those in the README of courses."""
    lines = re.compile(r"^(?:\$ |    )?(roborally [a-z].*)$", re.MULTILINE)
    found = {(page, line) for page in LINKED for line in lines.findall((ROOT / page).read_text(encoding="utf-8"))}
    return [pytest.param(line, id=f"{page}: {line}") for page, line in sorted(found)]


@pytest.mark.parametrize("line", commands())
def test_a_command_of_a_page_can_be_given(line: str) -> None:
    from roborally_env.cli.command import cli

    words, command = shlex.split(line, comments=True)[1:], cli
    while isinstance(command, click.Group):
        name, *words = words
        command = command.get_command(click.Context(command), name)
    assert command is not None
    command.make_context(line, words)  # raises an error for an option that is none, or a value of another kind


def test_scripts_and_extras_that_pages_name_are_there() -> None:
    for page in LINKED:
        text = (ROOT / page).read_text(encoding="utf-8")
        scripts = set(re.findall(r"python ((?:scripts|docs/tables)/[\w/]+\.py)", text))
        assert [script for script in scripts if not (ROOT / script).is_file()] == [], page
        extras = {
            name for names in re.findall(r"(?:roborally_env|\.)\[([\w,]+)\]\"", text) for name in names.split(",")
        }
        assert extras <= set(PROJECT["optional-dependencies"]), page


# what stands before the blocks of docs/editions.md, which leave out most imports: the names of the tutorial's files
TUTORIAL = """
import sys
from roborally_env import editions
from tests.editions import geyser, sprint, workshop
sys.modules["my_edition"] = sprint
spaces = {name: dict(vars(sys.modules[f"tests.editions.{name}"])) for name in ("sprint", "workshop", "geyser")}
"""


@pytest.mark.slow  # two editions are compiled
def test_the_tutorial_of_editions_runs() -> None:
    page = (ROOT / "docs" / "editions.md").read_text(encoding="utf-8")
    sections = re.split(r"^## (?=A card of your own|A tile of your own)", page, flags=re.MULTILINE)
    lines = [TUTORIAL]
    for name, text in zip(("sprint", "workshop", "geyser"), sections, strict=True):
        for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            lines.append(f"exec({code!r}, spaces[{name!r}])")
            if "GEYSERS = " in code:  # as the page says in a sentence
                lines.append("editions.register(spaces['geyser']['GEYSERS'])")
    lines.append("print(len(spaces['sprint']['result'].races), spaces['geyser']['batch'].edition)")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    folder = ROOT / "tests" / "editions"  # with the course old_faithful.toml
    done = forked.run("\n".join(lines), folder, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "100 geysers\n"


LONG = {"docs/training.md-0", "docs/review.md-0", "docs/play.md-0", "docs/selfplay.md-3", "docs/watch.md-0"}
LONG |= {"docs/generated.md-0", "docs/generated.md-1", "docs/generated.md-2", "docs/environment.md-1"}


def programs() -> list[Any]:
    """The blocks of Python of these pages; those that take longest are marked as slow."""
    texts = {page: (ROOT / page).read_text(encoding="utf-8") for page in WHOLE}
    blocks = {page: re.findall(r"```python\n(.*?)```", text, re.DOTALL) for page, text in texts.items()}
    assert all(blocks.values())
    named = {f"{page}-{i}": code for page, codes in blocks.items() for i, code in enumerate(codes)}
    assert named.keys() >= LONG
    return some(named, usual=named.keys() - LONG)


@pytest.fixture(scope="module")
def readers_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what readers have by then: a replay, and self-play data."""
    folder = tmp_path_factory.mktemp("reader")
    shutil.copy(ROOT / "docs" / "pictures" / "race.json", folder)
    if importlib.util.find_spec("pyarrow"):
        importlib.import_module("roborally_env.selfplay").selfplay(
            ["planner", "greedy"], "dizzy_highway", out=folder / "data", games=2
        )
    return folder


@pytest.mark.parametrize("code", programs())
def test_the_python_of_a_page_runs(code: str, readers_folder: Path) -> None:
    for library in re.findall(
        r"^(?:import|from) (sb3_contrib|pandas|polars|pyarrow|torch|minari|ray)", code, re.MULTILINE
    ):
        pytest.importorskip(library)
    if "roborally_env.training" in code:
        pytest.importorskip("torch")
    if '"data' in code:
        pytest.importorskip("pyarrow")
    if "minari" in code:
        pytest.importorskip("minari")
    done = forked.run(code, readers_folder, MINARI_DATASETS_PATH=str(readers_folder / "minari"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", LINKED)
def test_every_file_that_a_page_links_to_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    missing = [link for link in links if link and not (ROOT / page).parent.joinpath(link).exists()]
    assert not missing


@pytest.mark.parametrize("page", ["README.md", "docs/commands.md"])
def test_every_command_of_a_page_exists(page: str) -> None:
    from roborally_env.cli.command import COMMANDS

    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"^roborally (\w+)", text, re.MULTILINE)) | set(re.findall(r"`roborally ([a-z]\w*)", text))
    assert named <= set(COMMANDS)
    assert named == set(COMMANDS) or page == "README.md"


def test_the_readme_is_short_and_the_home_page_leads_to_every_page() -> None:
    assert len(README.splitlines()) <= 130
    assert "docs/index.md" in README
    seen, todo = set(), ["index.md"]
    while todo:
        page = todo.pop()
        seen.add(page)
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        todo += [link for link in re.findall(r"\]\(([\w.-]+\.md)", text) if link not in seen]
    assert seen == {path.name for path in PAGES}


def test_every_name_of_the_reference_has_a_page() -> None:
    listed = set(re.findall(r"\]\((api/[\w.]+\.md)\)", (ROOT / "docs" / "api.md").read_text(encoding="utf-8")))
    assert listed == {f"api/{path.name}" for path in (ROOT / "docs" / "api").glob("*.md")}


def test_every_name_of_the_reference_can_be_imported_from_its_module() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    named = re.findall(r"^- \[`(\w+)`\]\([^)]*\), `([\w.]+)`$", text, re.MULTILINE)
    assert len(named) > 50
    for name, module in named:
        assert hasattr(importlib.import_module(module), name), f"{module} has no {name}"


def test_the_race_of_the_readme_is_drawn_from_its_replay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    draw_race, pictures = importlib.import_module("draw_race"), ROOT / "docs" / "pictures"
    frames = draw_race.film(draw_race.load(pictures / "race.json"), tmp_path / "race.gif")
    drawn, kept = image.open(tmp_path / "race.gif"), image.open(pictures / "race.gif")
    assert frames > 50
    assert (drawn.size, drawn.n_frames) == (kept.size, kept.n_frames), "run: python scripts/draw_race.py"
    assert (pictures / "race.gif").stat().st_size < 1_000_000


@pytest.mark.slow
def test_the_pages_make_a_site(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "notebooks" / "02_evaluate_bots.html").read_text(encoding="utf-8").count("<img") >= 4
    assert not (tmp_path / "tables").exists()  # the scripts that write pages
    assert "max_rounds" in (tmp_path / "api" / "RaceOptions.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="https?://[^"]*\.(?:js|css)"', (tmp_path / "index.html").read_text("utf-8"))
