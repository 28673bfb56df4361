"""What the site has beside docs/: files of the repository as pages. MkDocs calls these hooks (`mkdocs.yml`).

Links lead from docs/ to the README, the course format, notebooks, tests and scripts, as a reader of the repository
needs them. On the site they lead to the page that is made of the file, or to a copy of it.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from nbconvert import MarkdownExporter

ROOT = Path(__file__).parents[2]
# file of the repository -> page of the site
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "courses/README.md": "course-format.md",
    **{f"notebooks/{path.name}": f"notebooks/{path.stem}.md" for path in sorted((ROOT / "notebooks").glob("*.ipynb"))},
}
ORIGINS = {page: file for file, page in PAGES.items()}
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
TABLE = re.compile(r'<table border="1" class="dataframe">')  # a plain table gets the theme's style
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add a page for each of PAGES, with the pictures of notebooks, and copies of all other files linked to."""
    for name, page in PAGES.items():
        if name.endswith(".ipynb"):
            for path, content in notebook(name):
                files.append(File.generated(config, path, content=content))
        else:
            files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    for name in sorted({name for file in files.documentation_pages() for name in copied(file)}):
        files.append(File.generated(config, f"files/{name}", abs_src_path=str(ROOT / name)))
    return files


def notebook(name: str) -> Iterator[tuple[str, str | bytes]]:
    """The page of a notebook as Markdown, with what its cells put out, and its pictures: paths and contents."""
    page = PurePosixPath(PAGES[name])
    exporter = MarkdownExporter()
    text, resources = exporter.from_filename(
        str(ROOT / name), resources={"output_files_dir": f"{page.stem}_files", "unique_key": page.stem}
    )
    yield str(page), TABLE.sub("<table>", text)
    yield from ((str(page.parent / path), content) for path, content in resources["outputs"].items())


def copied(file: File) -> Iterator[str]:
    """The files of the repository without a page to which a page links."""
    origin = ORIGINS.get(file.src_uri, f"docs/{file.src_uri}")
    for match in LINK.finditer(prose(file.content_string)):
        target = normpath(str(PurePosixPath(origin).parent / match[2]))
        if "://" not in match[2] and not target.startswith("docs/") and target not in (*PAGES, "README.md"):
            if (ROOT / target).is_file():
                yield target


def prose(text: str) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", text)


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Turn links between files of the repository into links between pages of the site."""
    here = page.file.src_uri
    origin = ORIGINS.get(here, f"docs/{here}")

    def changed(match: re.Match[str]) -> str:
        opened, link, anchor, closed = match[1], match[2], match[3] or "", match[4]
        if "://" in link:
            return match[0]
        target = normpath(str(PurePosixPath(origin).parent / link))
        there = place(target)
        return opened + relpath(there, str(PurePosixPath(here).parent)) + anchor + closed if there else match[0]

    parts = FENCE.split(markdown)
    return "".join(part if FENCE.fullmatch(part) else LINK.sub(changed, part) for part in parts)


def place(target: str) -> str | None:
    """Where a file of the repository is on the site; None: nowhere."""
    if target == "README.md":
        return "index.md"  # the site's own home page
    if target in PAGES:
        return PAGES[target]
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return f"files/{target}" if (ROOT / target).is_file() else None
