# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Build steps beyond pyproject.toml: the descriptor of the protocol, and the engine if it was built."""
import os
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:     # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENGINE = os.environ.get("SHEAF_BUNDLE", os.path.join(ROOT, "build", "release", "engine", "libsheaf.so"))


def describe(proto, out):
    """Write the FileDescriptorSet of a .proto file."""
    from grpc_tools import protoc
    folder, name = os.path.split(proto)
    if protoc.main(["protoc", "-I" + folder, "--descriptor_set_out=" + out, name]):
        raise RuntimeError(f"could not compile {proto}")


class Build(build_py):
    def run(self):
        super().run()
        package = os.path.join(self.build_lib, "sheaf")
        os.makedirs(package, exist_ok=True)
        describe(os.path.join(ROOT, "proto", "sheaf.proto"), os.path.join(package, "sheaf.desc"))
        shutil.copy(os.path.join(ROOT, "engine", "include", "sheaf", "request_table.h"), package)
        bundled = os.path.join(package, "libsheaf.so")
        if os.path.exists(ENGINE):
            shutil.copy(os.path.realpath(ENGINE), bundled)
        elif os.path.exists(bundled):
            os.remove(bundled)      # of an earlier build


class Wheel(bdist_wheel):
    """With the engine in it, a wheel is for this platform, and for any Python: the client loads the engine by ctypes."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not os.path.exists(ENGINE)

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return "py3", "none", platform


setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel})
