# SPDX-License-Identifier: Apache-2.0
"""Every piece of Python that our pages show runs, in the page's order, beside a hero.glb."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import sinew

SOURCE = Path(os.environ["SINEW_SOURCE"])
PAGES = [SOURCE / "README.md", SOURCE / "bindings" / "python" / "README.md",
         *sorted((SOURCE / "docs").glob("**/*.md"))]
WITH_PYTHON = [page for page in PAGES if "```python\n" in page.read_text(encoding="utf-8")]


@pytest.fixture(autouse=True)
def coarse_lattices(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shown is what is run, but for the lattice that bbw fills: seconds with the usual."""
    compute = sinew.Rig.compute_weights

    def coarsely(rig: sinew.Rig, method: str, **options: Any) -> Any:
        nodes = {"lattice_nodes": 1000} if method == "bbw" else {}
        return compute(rig, method, **options, **nodes)

    monkeypatch.setattr(sinew.Rig, "compute_weights", coarsely)


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: str(page.relative_to(SOURCE)))
def test_what_a_page_shows_runs(page: Path, hero_file: Path, tmp_path: Path,
                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hero.glb").write_bytes(hero_file.read_bytes())
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize("notebook", sorted((SOURCE / "docs").glob("**/*.ipynb")),
                         ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_notebook_runs_and_has_no_output_that_could_be_old(notebook: Path) -> None:
    names: dict[str, Any] = {}
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 3
    for cell in code:
        assert cell["outputs"] == []
        exec(compile("".join(cell["source"]), str(notebook), "exec"), names)


def test_the_pages_that_should_show_python_do() -> None:
    shown = {str(page.relative_to(SOURCE)) for page in WITH_PYTHON}
    assert {"README.md", "bindings/python/README.md", "docs/bindings.md"} <= shown
