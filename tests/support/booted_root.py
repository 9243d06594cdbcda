# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""systemd as the first process of an empty Debian 12 (debian_root.py), in namespaces and control groups of its own: where units
are tried as they run on a machine."""
import os
import subprocess
import time

import debian_root

GROUPS = "/sys/fs/cgroup"
# What systemd needs of the trees of control groups, version 1: `systemd` has no controller. The new machine gets a group of its own
# in every tree there is, so that it leaves those of this machine alone.
NEEDED = ("memory", "pids", "cpu", "systemd")

# $1 root, $2 names of trees. Only the root of the new mount namespace changes: the machine's mounts stay.
BOOT = """set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
for tree in $2; do
  mkdir "$root/sys/fs/cgroup/$tree"
  case $tree in
    unified) mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup/$tree" ;;
    systemd) mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/$tree" ;;
    *) mount -t cgroup -o "$tree" cgroup "$root/sys/fs/cgroup/$tree" ;;
  esac
done
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do touch "$root/dev/$device"; mount --bind /dev/$device "$root/dev/$device"; done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
cd "$root"
mkdir -p mnt
pivot_root . mnt
umount -l /mnt
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=sheaf-test /lib/systemd/systemd --system --show-status=no
"""


def available():
    """A reason why nothing can be booted, or None."""
    reason = debian_root.available()
    if reason:
        return reason
    for tree in NEEDED:
        if not os.access(os.path.join(GROUPS, tree, "cgroup.procs"), os.W_OK):
            return f"needs the control groups of {GROUPS}/{tree}"
    return None


def trees():
    return [name for name in sorted(os.listdir(GROUPS)) if os.access(os.path.join(GROUPS, name, "cgroup.procs"), os.W_OK)]


def make_group(tree):
    """A new group in a tree, ready for processes."""
    above, group = os.path.join(GROUPS, tree), os.path.join(GROUPS, tree, f"sheaf-test-{os.getpid()}")
    os.makedirs(group, exist_ok=True)
    for name in ("cpuset.cpus", "cpuset.mems") if tree == "cpuset" else ():
        with open(os.path.join(above, name)) as file, open(os.path.join(group, name), "w") as new:
            new.write(file.read())
    return group


class Machine:
    """A root that has been booted. `stop` ends all of its processes and removes its control groups."""

    def __init__(self, root):
        self.root = str(root)
        self.groups = [make_group(tree) for tree in trees()]
        enter = "".join(f"echo $$ >{group}/cgroup.procs; " for group in self.groups)
        self.outer = subprocess.Popen(
            ["sh", "-c", enter + 'exec unshare --mount --pid --fork --kill-child --uts --ipc --cgroup --net sh -c "$@"', "sh",
             BOOT, "sh", self.root, " ".join(trees())], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.first = None

    def wait(self, seconds):
        """Until systemd has started what it starts."""
        end = time.monotonic() + seconds
        state = ""
        while state not in ("running", "degraded"):
            assert time.monotonic() < end and self.outer.poll() is None, f"systemd is {state or 'not there'}"
            time.sleep(0.1)
            with open(f"/proc/{self.outer.pid}/task/{self.outer.pid}/children") as file:
                children = file.read().split()
            if children:
                self.first = children[0]
                state = self.run("systemctl", "is-system-running", check=False).strip()

    def command(self, *argv):
        return ["nsenter", "--target", self.first, "--mount", "--pid", "--uts", "--ipc", "--net", "--cgroup", "--", *argv]

    def run(self, *argv, check=True):
        """Run a program inside; its output."""
        done = subprocess.run(self.command(*argv), capture_output=True, text=True, env=debian_root.PLAIN)
        assert not check or done.returncode == 0, f"{argv}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    def path(self, inside):
        """A path outside for one inside."""
        return f"/proc/{self.first}/root{inside}"

    def stop(self):
        self.outer.kill()
        self.outer.wait()
        end = time.monotonic() + 20
        for group in self.groups:
            for folder, _, _ in os.walk(group, topdown=False):
                while True:
                    try:
                        os.rmdir(folder)
                        break
                    except OSError:    # a process that was killed is still there
                        if time.monotonic() > end:
                            break
                        time.sleep(0.05)
