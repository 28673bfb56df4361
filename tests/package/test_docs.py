"""The docs say what the code does: tables are up to date, the code on the pages runs, and they make a site."""

import importlib
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def write_docs(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script that writes pages."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("write_docs")


PAGES = sorted((ROOT / "docs").glob("*.md"))
LINKED = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "courses/README.md", *(f"docs/{path.name}" for path in PAGES))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_tables_of_a_page_are_those_of_the_simulator(path: Path, write_docs: Any) -> None:
    page = path.read_text(encoding="utf-8")
    assert page == write_docs.filled(page), "run: python scripts/write_docs.py"
    assert page.count("<!-- table ") == page.count("<!-- end -->") == len(write_docs.tables_in(page)), (
        "a mark is spoilt"
    )


def test_every_table_stands_on_a_page(write_docs: Any) -> None:
    found = [name for path in PAGES for name in write_docs.tables_in(path.read_text(encoding="utf-8"))]
    assert sorted(found) == sorted(write_docs.TABLES)


def test_the_page_of_upgrades_has_every_card_and_every_decision() -> None:
    from roborally_env.core import choices, upgrades

    page = (ROOT / "docs" / "upgrades.md").read_text(encoding="utf-8")
    decisions = page.partition("## All decisions")[2]
    for row in map(upgrades.upgrade, upgrades.DECK):
        assert f"| {row.title} | {row.cost} |" in page
        assert f"- **{row.title}.** " in page
        assert (f"| `{row.name}` |" in decisions) == bool(row.asked)
    for name in choices.NAMES[choices.PROGRAM : choices.UPGRADE + 1]:
        assert f"| `{name}` |" in decisions


# pages whose blocks are whole programs; on the others they are parts of files that have tests of their own
WHOLE = (
    "README.md",
    *sorted(f"docs/{path.name}" for path in PAGES if path.stem.startswith("edition_")),
    "docs/environment.md",
    "docs/evaluation.md",
    "docs/generated.md",
    "docs/libraries.md",
    "docs/play.md",
    "docs/selfplay.md",
    "docs/watch.md",
)


def programs() -> list[Any]:
    """The blocks of Python of these pages."""
    texts = {page: (ROOT / page).read_text(encoding="utf-8") for page in WHOLE}
    blocks = {page: re.findall(r"```python\n(.*?)```", text, re.DOTALL) for page, text in texts.items()}
    assert all(blocks.values())
    return [pytest.param(code, id=f"{page}-{i}") for page, codes in blocks.items() for i, code in enumerate(codes)]


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
    for library in re.findall(r"^(?:import|from) (sb3_contrib|pandas|polars)", code, re.MULTILINE):
        pytest.importorskip(library)
    if '"data' in code:
        pytest.importorskip("pyarrow")
    done = subprocess.run([sys.executable, "-c", code], cwd=readers_folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", LINKED)
def test_every_file_that_a_page_links_to_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    missing = [link for link in links if link and not (ROOT / page).parent.joinpath(link).exists()]
    assert not missing


@pytest.mark.parametrize("page", ["README.md", "docs/commands.md"])
def test_every_command_of_a_page_exists(page: str) -> None:
    from roborally_env.cli.main import COMMANDS

    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"^roborally (\w+)", text, re.MULTILINE)) | set(re.findall(r"`roborally ([a-z]\w*)", text))
    assert named <= set(COMMANDS)
    assert named == set(COMMANDS) or page == "README.md"


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    linked = set(re.findall(r"\]\(docs/([\w.-]+\.md)", README))
    assert linked == {path.name for path in PAGES}
    assert len(README.splitlines()) <= 130


def test_the_race_of_the_readme_is_drawn_from_its_replay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    draw_race, pictures = importlib.import_module("draw_race"), ROOT / "docs" / "pictures"
    frames = draw_race.write(draw_race.load(pictures / "race.json"), tmp_path / "race.gif", 640)
    drawn, kept = image.open(tmp_path / "race.gif"), image.open(pictures / "race.gif")
    assert frames > 50
    assert (drawn.size, drawn.n_frames) == (kept.size, kept.n_frames), "run: python scripts/draw_race.py"
    assert (pictures / "race.gif").stat().st_size < 1_000_000


def test_the_pages_make_a_site(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "notebooks" / "02_evaluate_bots.html").read_text(encoding="utf-8").count("<img") >= 4
    assert "max_rounds" in (tmp_path / "api.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="https?://[^"]*\.(?:js|css)"', (tmp_path / "index.html").read_text("utf-8"))
