# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Models with signed distance fields, of plugins and of a mesh in a file: the same bits on a server and in this process."""
import numpy as np

import sheaf

MODEL = """<mujoco><option sdf_initpoints="10" sdf_iterations="10"/>
<extension><plugin plugin="mujoco.sdf.bolt"><instance name="bolt"/></plugin><plugin plugin="mujoco.sdf.nut"><instance name="nut"/></plugin></extension>
<asset><mesh name="bolt"><plugin instance="bolt"/></mesh><mesh name="nut"><plugin instance="nut"/></mesh><mesh file="wedge.obj"/></asset>
<worldbody><geom type="plane" size="9 9 .1" pos="0 0 -2"/><geom type="sdf" mesh="bolt"><plugin instance="bolt"/></geom>
<body><joint type="slide" axis="0 0 1"/><joint name="turn" axis="0 0 1" damping=".1"/>
<geom type="sdf" mesh="nut"><plugin instance="nut"/></geom></body>
<body pos="-3 0 -1.82"><freejoint/><geom type="sdf" mesh="wedge"/></body></worldbody>
<actuator><motor joint="turn"/></actuator></mujoco>"""
WEDGE = """v -.2 -.2 -.2\nv .2 -.2 -.2\nv .2 .2 -.2\nv -.2 .2 -.2\nv -.2 0 .2\nv .2 0 .2
f 1 4 3\nf 1 3 2\nf 1 2 6\nf 1 6 5\nf 2 3 6\nf 3 4 5\nf 3 5 6\nf 4 1 5\n"""
PAIRS = {(0, 3), (1, 2)}    # the wedge on the plane, the nut on the bolt


def test_fields_have_the_same_bits_here_and_there(start):
    results = []
    with sheaf.connect(start("--threads", "2").address) as there, sheaf.connect(threads=1) as here:
        for session in (there, here):
            m = session.load({"m.xml": MODEL, "wedge.obj": WEDGE})
            x0 = np.repeat(m.state0[None], 4, 0)
            x0[:, 1 + m.nq:] = np.random.default_rng(0).normal(0, .1, (4, m.nv))
            results.append(m.rollout(x0, np.ones((4, 20, 1)), outputs=("contact[30]",)))
    met = sheaf.contacts(results[0].outputs["contact[30]"])["geom"].reshape(-1, 2)
    assert {tuple(sorted(pair)) for pair in met if pair[0] >= 0} == PAIRS
    assert not results[0].status.any() and results[0].state.tobytes() == results[1].state.tobytes()
