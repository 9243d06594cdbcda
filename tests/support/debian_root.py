# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""An empty Debian 12 in a folder, and programs that run inside: where packages are tried without touching this machine."""
import os
import shutil
import subprocess

import pytest

SOURCES = "deb $(REPO_URI) $(CODENAME) $(COMPONENT)"


def available():
    """A reason why there can be none, or None."""
    if os.getuid():
        return "needs root"
    return None if shutil.which("mmdebstrap") else "needs mmdebstrap"


def make(folder, *packages):
    """Make the file system in an empty folder, with packages beyond the smallest set; package sources and their settings come from
    this machine."""
    settings = folder.parent / "apt-settings"
    settings.mkdir()
    listed = subprocess.run(["apt-get", "indextargets", "--format", SOURCES, "Created-By: Packages", "Origin: Debian"],
                            capture_output=True, text=True, check=True).stdout
    (settings / "sources.list").write_text("\n".join(sorted(set(listed.splitlines()))) + "\n")
    kept = ("Acquire::http", "Acquire::Check-", "Acquire::Retries")
    options = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout.splitlines()
    (settings / "apt.conf").write_text("".join(o + "\n" for o in options if o.startswith(kept)))
    more = ["--include=" + ",".join(packages)] if packages else []
    done = subprocess.run(["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", *more, f"--aptopt={settings}/apt.conf",
                           "bookworm", str(folder), str(settings / "sources.list")], capture_output=True, text=True)
    if done.returncode:
        pytest.skip("no Debian packages to be had: " + done.stderr.strip()[-200:])
    for name in ("resolv.conf", "hosts"):
        shutil.copy(f"/etc/{name}", folder / "etc" / name)


# proc is mounted where the program sees it and nobody else; with $2, the root is read-only but for a folder in memory
INSIDE = """set -e
root=$1; writable=$2; shift 2
if [ -n "$writable" ]; then
  mount --rbind "$root" "$root"
  mount -t tmpfs -o mode=0777 tmpfs "$root$writable"
  mount -o remount,bind,ro "$root"
fi
mount -t proc proc "$root/proc"
for device in null zero random urandom; do
  [ -c "$root/dev/$device" ] || { [ -n "$writable" ] || touch "$root/dev/$device"; mount --bind /dev/$device "$root/dev/$device"; }
done
exec "$@"
"""
PLAIN = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


def command(root, argv, user=None, writable=""):
    """The command line that runs argv inside; a user is an unprivileged number, without capabilities and ways to gain some."""
    drop = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all",
            "--no-new-privs"] if user else []
    return ["unshare", "--mount", "--", "sh", "-c", INSIDE, "sh", str(root), writable, "chroot", str(root), *drop, *argv]


def run(root, *argv, **environment):
    """Run a program inside; its output. A failure is an assertion with the end of what it wrote."""
    done = subprocess.run(command(root, argv), capture_output=True, text=True, env={**PLAIN, **environment})
    assert done.returncode == 0, f"{argv}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout
