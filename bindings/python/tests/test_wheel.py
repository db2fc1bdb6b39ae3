# SPDX-License-Identifier: Apache-2.0
"""The wheel: what pip installs works without the sources."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import sinew

SOURCE = Path(os.environ["SINEW_SOURCE"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    made = subprocess.run([sys.executable, str(SOURCE / "bindings/python/make_wheel.py"),
                           os.environ["SINEW_STAGE"], str(folder)],
                          check=True, capture_output=True, text=True)
    return Path(made.stdout.strip())


def test_its_record_is_true(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = f"sinew-{sinew.__version__}.dist-info"
        listed = list(csv.reader(archive.read(f"{info}/RECORD").decode().splitlines()))
        assert {row[0] for row in listed} == set(archive.namelist())
        for name, digest, size in listed:
            data = archive.read(name)
            if digest:
                hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
                assert digest == "sha256=" + hashed.rstrip(b"=").decode()
                assert int(size) == len(data)
        tag = wheel.stem.split("-", 2)[2]
        assert tag.startswith("py3-none-")
        assert f"Tag: {tag}\n" in archive.read(f"{info}/WHEEL").decode()
        assert "sinew/py.typed" in archive.namelist()
        assert "sinew/libsinew_c.so" in archive.namelist()


def test_pip_installs_it_and_it_runs(wheel: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps",
                    "--target", str(tmp_path), str(wheel)], check=True, env=environment)
    program = ("import sinew; rig = sinew.sample('cigar', vertices=60);"
               "print(sinew.__file__, len(sinew.Deformer(rig).at().positions) == rig.vertex_count)")
    environment["PYTHONPATH"] = str(tmp_path)
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True,
                         text=True, env=environment, cwd=tmp_path)
    assert ran.stdout.split() == [str(tmp_path / "sinew" / "__init__.py"), "True"]


def test_the_same_input_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SOURCE / "bindings/python/make_wheel.py"),
                    os.environ["SINEW_STAGE"], str(tmp_path)], check=True, capture_output=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_a_library_that_does_not_load_is_named(tmp_path: Path) -> None:
    package = Path(sinew.__file__).parent
    (tmp_path / "sinew").mkdir()
    for source in package.glob("*.py"):
        (tmp_path / "sinew" / source.name).write_bytes(source.read_bytes())
    ran = subprocess.run([sys.executable, "-c", "import sinew"], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path)
    assert ran.returncode == 1
    assert "ImportError: sinew: its library does not load" in ran.stderr
