"""Write a file whole or not at all: into a temporary neighbour, then replace.

Whatever happens on the way (full disk, Ctrl-C), the last good file stays and no half file is left.
"""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path`; on a clean exit it takes `path`'s place.

    Raises OSError as the file system does; the temporary file is gone in every case.
    """
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "no ordinary file"
        raise OSError(errno.EINVAL, f"it is {what}", str(path))
    if path.is_symlink():
        path = path.resolve()  # the file changes, the link stays
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode_for(path))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process is in here for `path`: read, change and replace lose nothing.

    Where the system has no flock (Windows) nobody waits, and the last one to write wins.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f".{path.name}.lock").open("ab") as lock:
        with contextlib.suppress(ImportError):
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _mode_for(path: Path) -> int:
    """The mode the file has, or the one a new file would get (mkstemp gives 0600)."""
    with contextlib.suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
