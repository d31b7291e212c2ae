"""Every Python snippet of the documentation runs, page by page, top to bottom."""

import pathlib
import re

import pytest

from tests.tokenizers import package_files

_ROOT = pathlib.Path(__file__).parents[2]
_SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PAGES = sorted([*_ROOT.glob("docs/*.md"), *_ROOT.glob("*.md")])


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_snippets_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = package_files.find("whisper_tiny_en", "model/config.json")
    # The folder itself: links that lead out of a checkpoint are not followed.
    model = config.resolve().parent
    pathlib.Path("whisper-tiny.en").symlink_to(model, target_is_directory=True)
    clip = package_files.find("beckett_clip", "beckett.wav")
    pathlib.Path("talk.wav").symlink_to(clip)
    text = page.read_text(encoding="utf-8")
    names = {"__name__": "docs"}
    for match in _SNIPPET.finditer(text):
        # The blank lines make a traceback name the line of the page.
        code = "\n" * text.count("\n", 0, match.start(1)) + match[1]
        exec(compile(code, str(page), "exec"), names)


def test_there_are_pages_with_snippets():
    pages = [p.name for p in _PAGES if _SNIPPET.search(p.read_text(encoding="utf-8"))]
    assert {"README.md", "checkpoints.md", "decoding.md", "tokenizers.md"} <= set(pages)


def test_links_lead_to_pages():
    links = [
        (page, link)
        for page in _PAGES
        for link in re.findall(r"\]\(([^)#:]+\.md)[^)]*\)", page.read_text("utf-8"))
    ]
    assert links
    for page, link in links:
        assert (page.parent / link).exists(), f"{page.name}: {link}"
