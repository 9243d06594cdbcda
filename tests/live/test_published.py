# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""bench/published.py over a package of four small models: what it measures, leaves out, keeps and measures no second time."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("mujoco")
pytest.importorskip("sheaf", reason="pip install ./clients/python")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import live  # noqa: E402

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench" / "published.py"
MODELS = {
    "swings.xml": """<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos="0 0 -.3"/></body></worldbody>
      <actuator><motor joint="a"/></actuator><sensor><jointpos joint="a"/></sensor></mujoco>""",
    "stands.xml": "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>",
    "lacks_a_mesh.xml": "<mujoco><asset><mesh file='absent.stl'/></asset></mujoco>",
    # a spring whose force grows beyond what is finite within two steps, with any control
    "flies_apart.xml": """<mujoco><option timestep="1"><flag eulerdamp="disable"/></option><worldbody><body pos="0 0 1">
      <joint type="slide" stiffness="1e12" springref="1e3"/><geom size=".1"/></body></worldbody></mujoco>"""}


@pytest.fixture
def package(tmp_path):
    live.library()
    (tmp_path / "mjlab").mkdir()
    for name, text in MODELS.items():
        (tmp_path / "mjlab" / name).write_text(text)
    return tmp_path


def bench(package, *args):
    command = [sys.executable, str(BENCH), "mjlab", "--rounds", "1", "--seconds", "0", "--keep", str(package / "kept.json"), *args]
    p = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "SHEAF_PACKAGES": str(package)})
    assert p.returncode == 0, p.stderr
    return p.stdout, json.loads((package / "kept.json").read_text())


def test_measures_what_moves_and_names_what_is_left_out(package):
    text, kept = bench(package)
    swings = kept["mjlab/swings.xml"]
    assert swings["nv"] == 1 and swings["lanes"] >= 1 and swings["rollout"] > 0
    assert kept["mjlab/stands.xml"] == {"left_out": "nothing moves"}
    assert kept["mjlab/flies_apart.xml"] == {"left_out": "diverges"}
    assert kept["mjlab/lacks_a_mesh.xml"]["left_out"].startswith("refused by the reference")
    assert "| mjlab | 1 |" in text and "| all | 1 |" in text and "mjlab: mjlab/swings" in text
    assert "left out: " in text and "1 (diverges)" in text


def test_goes_on_from_the_file_that_it_keeps(package):
    _, kept = bench(package)
    kept["mjlab/swings.xml"]["rollout"] = 123.0
    (package / "kept.json").write_text(json.dumps(kept))
    text, again = bench(package)
    assert again == kept and "| 123.00 |" in text


def test_one_state_at_a_time(package):
    text, kept = bench(package, "--one", "--only", "swings")
    assert all(kept["mjlab/swings.xml"][op] > 0 for op in ("step", "forward", "inverse"))
    assert text.count("mjlab: mjlab/swings") == 3
