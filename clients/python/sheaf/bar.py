# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Progress on the terminal."""
import sys
import time


class Bar:
    """By tqdm if it is installed, else by a plain line."""

    def __init__(self, what: str):
        self.what, self.bar, self.last, self.start = what, None, 0, time.monotonic()
        try:
            from tqdm.auto import tqdm
            self.tqdm = tqdm
        except ImportError:
            self.tqdm = None

    def __call__(self, done: int, total: int) -> None:
        if self.tqdm:
            if self.bar is None:
                self.bar = self.tqdm(total=total, desc=self.what, unit="step", unit_scale=True)
            self.bar.update(done - self.last)
        elif sys.stderr.isatty() or done == total:
            n = int(30 * done / max(total, 1))
            sys.stderr.write(f"\r{self.what} [{'#' * n}{'.' * (30 - n)}] {done}/{total}" + ("\n" if done >= total else ""))
            sys.stderr.flush()
        self.last = done

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
