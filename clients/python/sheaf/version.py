# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""The version of this package: the number of sheaf/version.h, which tests/lint compares."""
VERSION = "0.1.0"
