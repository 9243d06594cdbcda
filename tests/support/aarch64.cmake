# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0

# Build for aarch64 with Debian's cross compiler, against the libraries of a Debian in SHEAF_ARM_ROOT, and run the
# programs under qemu-user: tests/arm.sh.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(SHEAF_ARM_ROOT $ENV{SHEAF_ARM_ROOT})
set(CMAKE_SYSROOT ${SHEAF_ARM_ROOT})
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${SHEAF_ARM_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${SHEAF_ARM_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${SHEAF_ARM_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${SHEAF_ARM_ROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${SHEAF_ARM_ROOT})
