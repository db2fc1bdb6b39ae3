# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

import sinew


@pytest.fixture
def arm() -> sinew.Rig:
    """A small rig with weights, endpoint weights and a clip."""
    return sinew.sample("arm", vertices=600)


@pytest.fixture(scope="session")
def hero_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """hero.glb, as our examples have it."""
    path = tmp_path_factory.mktemp("files") / "hero.glb"
    sinew.sample("mannequin", vertices=1500).write(path)
    return path
