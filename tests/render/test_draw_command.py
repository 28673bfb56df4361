"""`roborally draw --svg` and `--png`, and the gallery in the docs."""

import importlib
import io
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.cli.conftest import roborally  # noqa: F401  # a fixture

ROOT = Path(__file__).parents[2]


def test_files_are_written(roborally: Any, tmp_path: Path) -> None:  # noqa: F811
    svg, png = tmp_path / "a.svg", tmp_path / "a.PNG"
    code, out, err = roborally("draw", "twister", "--svg", svg, "--png", png, "--width", "630", "--theme", "dark")
    assert (code, out, err) == (0, f"{svg}\n{png}\n", "")
    text = svg.read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).attrib["viewBox"] == "-50 -50 1400 1100"
    assert "var(" not in text
    image = Image.open(io.BytesIO(png.read_bytes()))
    assert image.size == (630, 495)
    assert image.convert("L").getpixel((2, 2)) < 40


def test_a_png_is_1200_wide_if_nothing_is_said(roborally: Any, tmp_path: Path) -> None:  # noqa: F811
    assert roborally("draw", "2005/twister", "--png", tmp_path / "a.png")[0] == 0
    assert Image.open(tmp_path / "a.png").size[0] == 1200


WRONG = [
    (("--svg", "a.txt"), "'a.txt': expected a file name that ends in .svg"),
    (("--svg", ""), "'': expected a file name that ends in .svg"),
    (("--svg", "a.svg", "--png", "a.svg"), "'a.svg': expected a file name that ends in .png"),
    (("--png", "no/such/folder/a.png"), "no/such/folder/a.png: cannot be written: No such file or directory"),
    (("--png", "a.png", "--width", "0"), "Invalid value for '--width': 0 is not in the range 1<=x<=8000."),
    (("--width", "300"), "--width is that of a PNG; give --png FILE with it"),
    (("--theme", "dark"), "--theme is that of a picture; give --svg FILE or --png FILE with it"),
    (("--svg", "a.svg", "--json"), "--json prints the course; leave it out with --svg or --png"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_options_are_refused_in_one_line(
    words: tuple[str, ...],
    message: str,
    roborally: Any,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = roborally("draw", "dizzy_highway", *words)
    assert (code, out, err) == (2, "", f"roborally: {message}\n")
    assert not list(tmp_path.iterdir())


def test_without_resvg_one_line_names_the_extra(
    roborally: Any,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    code, _, err = roborally("draw", "twister", "--svg", tmp_path / "a.svg", "--png", tmp_path / "a.png")
    assert code == 2
    assert err.count("\n") == 1
    assert 'pip install "roborally_env[render]"' in err
    assert not list(tmp_path.iterdir())
    assert roborally("draw", "twister", "--svg", tmp_path / "a.svg")[0] == 0


def test_the_gallery_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "tables"))
    files = importlib.import_module("docs_gallery").files()
    there = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs" / "gallery").rglob("*.svg")}
    assert there == set(files)
    old = [name for name, text in files.items() if (ROOT / "docs" / name).read_text(encoding="utf-8") != text]
    assert not old, "run: python docs/tables/write_docs.py"
    assert sum(map(len, files.values())) < 3_000_000
