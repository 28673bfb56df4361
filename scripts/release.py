"""Make a release: write its version where it stands, and try what users would install.

    python scripts/release.py prepare 0.3.0    # the version and today's date, in three files: commit them
    python scripts/release.py try              # sdist and wheel into dist/, then a race in a bare environment of each
    python scripts/release.py try --python 3.12 /opt/python/bin/python3.13
    python scripts/release.py try --code 2016 2005    # with the machine code of two editions; none: --code
    python scripts/release.py try --out results/speed/wheel.json    # also writes what the code weighs and saves

`try` builds the wheel from the sdist, so what the sdist lacks, the wheel lacks too. Then it puts machine code into the
wheel, for the versions of constraints.txt, and its optimised bitcode, for processors without the level of the code.
Each environment is new and has nothing but the wheel and what it requires.
Pythons are looked for as commands and among those of pyenv; one that is not found is a failure, unless --found says
that those found will do. Exits 1 on any failure. Needs nothing but Python 3.11 and a package index.
"""

from __future__ import annotations

import argparse
import base64
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSION = re.compile(r"\d+\.\d+\.\d+")
UNRELEASED = "## Unreleased"
RACE = ("evaluate", "--agents", "greedy", "random", "--games", "20", "--lighter")
FIRST_STEP = """
import time
from roborally_env import parallel_env
from roborally_env.compiling import whole_program
env = parallel_env("dizzy_highway", players=4)
observations, infos = env.reset(seed=42)
env.step({agent: env.action_space(agent).sample(observations[agent]["action_mask"]) for agent in env.agents})
kinds = {name.partition("-")[0] for name in whole_program.made}
code = "compiled here" if "inner" in kinds else "bitcode of the wheel" if kinds else "machine code of the wheel"
print(f"{time.process_time():.2f} s of processor time from the start of Python, {code}")
"""
PORTABLE = "x86-64-v3"  # the level of the machine code
OPTIMISED = "optimised_"  # with this the names of files of bitcode begin
Code = dict[str, dict[str, float]]  # by version of Python: what the code weighs, and seconds of the first step
TRIES = (("--version",), ("draw", "dizzy_highway", "--no-color"), RACE)  # what a new environment must do


def prepare(root: Path, version: str, date: datetime.date) -> None:
    """Write a version into pyproject.toml, CITATION.cff and the changelog of a folder.

    Raises:
        SystemExit: for a version that is none, or not higher than the present one; without unreleased changes.
    """
    old = versions(root)["pyproject.toml"]
    if not VERSION.fullmatch(version) or numbers(version) <= numbers(old):
        raise SystemExit(f"expected a version above {old}, such as 0.3.0, got {version!r}")
    changes = {
        "pyproject.toml": (r'^version = ".*"$', f'version = "{version}"'),
        "CITATION.cff": (r"^(date-released: .*\n)?version: .*$", f"date-released: {date}\nversion: {version}"),
        "CHANGELOG.md": (f"^{UNRELEASED}$", f"## {version} ({date})"),
    }
    written = {root / name: replaced(root / name, *change) for name, change in changes.items()}
    for path, text in written.items():  # all or none
        path.write_text(text, encoding="utf-8")


def replaced(path: Path, pattern: str, text: str) -> str:
    """The text of a file, with the one place that has the pattern replaced."""
    changed, count = re.subn(pattern, text, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if count != 1:
        raise SystemExit(f"{path.name}: expected one line like {pattern}, found {count}")
    return changed


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers, which can be compared; 0.3.0.dev0 comes before 0.3.0."""
    release, develops, _ = version.partition(".dev")
    return (*map(int, release.split(".")), 0 if develops else 1)


def versions(root: Path) -> dict[str, str]:
    """The version in each file; that of the changelog is its latest release."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.findall(r"^version: (.*)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    changed = re.findall(r"^## (\d\S*)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    return {"pyproject.toml": project, "CITATION.cff": cited[0], "CHANGELOG.md": changed[0]}


def named_pythons(root: Path) -> list[str]:
    """The versions of Python that pyproject.toml promises, as 3.11."""
    promised = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    return [
        found[1] for line in promised if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line))
    ]


def find_python(name: str) -> str | None:
    """The interpreter of a version such as 3.12, or of a path; None: there is none that runs."""
    if os.sep in name:
        return name if runs(name) else None
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places = [shutil.which(f"python{name}"), *map(str, sorted(kept.glob(f"{name}.*/bin/python"), reverse=True))]
    return next((place for place in places if place and runs(place)), None)


def runs(python: str) -> bool:
    """Whether this is an interpreter: a shim of pyenv for a version that is not switched on is none."""
    try:
        return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def build(root: Path, folder: Path) -> Path:
    """The wheel of the sdist of a folder, in its dist/; `folder` is for the environment that builds."""
    venv.create(folder, with_pip=True)
    call(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "build")
    shutil.rmtree(root / "dist", ignore_errors=True)
    call(folder / "bin" / "python", "-m", "build", "--outdir", root / "dist", root)
    (wheel,) = (root / "dist").glob("*.whl")
    return wheel


def add_code(wheel: Path, pythons: list[str], editions: list[str], folder: Path) -> Code:
    """Put machine code and bitcode into a wheel, for each Python and the versions of constraints.txt.

    Each Python compiles in an environment of its own, in `folder`, for a level of processors that most machines have.
    An installation with other versions compiles as a checkout does; one on another processor emits the bitcode, which
    is optimised already.

    Returns:
        By version of Python: the seconds of the first step where all is compiled (`cold`), files and megabytes in the
        wheel of `code` and `bitcode`.
    """
    found: Code = {}
    for number, python in enumerate(pythons):
        environment, cache = folder / f"code{number}", folder / f"cache{number}"
        call(python, "-m", "venv", environment)
        call(environment / "bin" / "python", "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel)
        kept = {"ROBORALLY_CACHE": str(cache), "ROBORALLY_CPU": PORTABLE}
        cold = seconds_of(call(environment / "bin" / "python", "-c", FIRST_STEP, **kept))
        call(environment / "bin" / "roborally", "compile", "--portable", "--edition", *editions, **kept)
        files = sorted((cache / "code").glob("*.bin"))
        code = [path for path in files if path.name.startswith(("entry-", "apart-"))]
        bitcode = [path for path in files if path.name.startswith(OPTIMISED)]
        row = found[version_of(python)] = {"cold": cold}
        for kind, paths in (("code", code), ("bitcode", bitcode)):
            before = wheel.stat().st_size
            put_in(wheel, {f"roborally_env/compiling/code/{path.name}": path.read_bytes() for path in paths})
            row |= {f"{kind}_files": len(paths), f"{kind}_mb": round((wheel.stat().st_size - before) / 1e6, 2)}
    return found


def version_of(python: str) -> str:
    """The version of an interpreter, as 3.11."""
    return call(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()


def seconds_of(step: str) -> float:
    """The seconds in what FIRST_STEP prints."""
    return float(step.strip().splitlines()[-1].split()[0])


def put_in(wheel: Path, files: dict[str, bytes]) -> None:
    """Add files to a wheel and to its list of files."""
    with zipfile.ZipFile(wheel) as old:
        kept = {info: old.read(info) for info in old.infolist()}
    (record,) = (info for info in kept if info.filename.endswith(".dist-info/RECORD"))
    rows = [
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}\n"
        for name, data in files.items()
    ]
    kept[record] = "".join(rows).encode() + kept[record]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in (kept | files).items():
            new.writestr(name, data, zipfile.ZIP_DEFLATED)


def call(*words: object, **more: str) -> str:
    """Run a command in a folder that has nothing to do with the checkout; what it prints.

    Raises:
        subprocess.CalledProcessError: if it fails.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = list(map(str, words))
    done = subprocess.run(
        command, cwd=tempfile.gettempdir(), env={**kept, **more}, check=True, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout


def try_wheel(wheel: Path, python: str, found: Code | None = None) -> Iterator[str]:
    """Install a wheel into a bare environment of a Python, and try its command; a line for each try. With machine code
    in it (`found`, to which the seconds are added), also the first step of an environment from the machine code and
    from the bitcode; it compiles where numba is another one than the wheel's."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        call(python, "-m", "venv", folder)
        call(f"{folder}/bin/python", "-m", "pip", "install", "--quiet", wheel)
        yield f"installed in {time.monotonic() - began:.0f} s"
        for words in TRIES:
            began = time.monotonic()
            call(f"{folder}/bin/roborally", *words, ROBORALLY_CACHE=f"{folder}/cache")
            yield f"roborally {' '.join(words)}: {time.monotonic() - began:.0f} s"
        for kind in ("code", "bitcode") if found is not None else ():
            step = call(f"{folder}/bin/python", "-c", FIRST_STEP, ROBORALLY_CACHE=f"{folder}/{kind}")
            (found or {})[version_of(python)][f"from_{kind}"] = seconds_of(step)
            yield f"first step: {step.strip().splitlines()[-1]}"
            for path in Path(folder).rglob("roborally_env/compiling/code/*.bin"):  # then from the bitcode
                if not path.name.startswith(OPTIMISED):
                    path.unlink()


def try_all(pythons: list[str], found_will_do: bool, editions: list[str], out: Path | None) -> int:
    """Build and try the release; returns the exit code."""
    stated = versions(ROOT)
    if len(set(stated.values())) != 1:
        print("different versions:", ", ".join(f"{file} {version}" for file, version in stated.items()))
        return 1
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(ROOT, Path(folder) / "build")
        found = list(filter(None, map(find_python, pythons or named_pythons(ROOT))))
        code = add_code(wheel, found, editions, Path(folder)) if editions else None
    for name, row in (code or {}).items():
        kinds = (f"{kind}: {row[f'{kind}_files']} files, {row[f'{kind}_mb']} MB" for kind in ("code", "bitcode"))
        print(f"Python {name}: first step compiled in {row['cold']} s; in the wheel {', '.join(kinds)}", flush=True)
    print("built:", *sorted(path.name for path in wheel.parent.iterdir()))
    failed = 0
    for name in pythons or named_pythons(ROOT):
        python = find_python(name)
        if python is None:
            print(f"Python {name}: not found")
            failed += not found_will_do
            continue
        try:
            for line in try_wheel(wheel, python, code):
                print(f"Python {name}: {line}", flush=True)
        except subprocess.CalledProcessError as error:
            print(f"Python {name}: failed: {' '.join(error.cmd)}\n{error.stdout}")
            failed += 1
    if out is not None and not failed:
        size = round(wheel.stat().st_size / 1e6, 2)
        out.write_text(json.dumps({"wheel_mb": size, "pythons": code or {}}, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


def main(argv: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("prepare", help="write the version into three files").add_argument("version")
    trying = steps.add_parser("try", help="build sdist and wheel, and race in bare environments")
    trying.add_argument("--python", nargs="+", default=[], metavar="P", help="3.12, or the path of an interpreter")
    trying.add_argument("--found", action="store_true", help="those Pythons will do that are found")
    trying.add_argument(
        "--code", nargs="*", default=["2016"], metavar="E", help="editions whose machine code the wheel carries (2016)"
    )
    trying.add_argument("--out", type=Path, metavar="FILE", help="write sizes and seconds as JSON")
    given = parser.parse_args(argv)
    if given.step == "prepare":
        prepare(ROOT, given.version, datetime.date.today())
        return 0
    return try_all(given.python, given.found, given.code, given.out)


if __name__ == "__main__":
    sys.exit(main())
