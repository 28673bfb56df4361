"""A program of another language as a child process: a line goes in, a line comes out, within a time and a size."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress

from roborally_env.base.children import starting
from roborally_env.base.errors import AgentError, cut
from roborally_env.base.terminal import printable

_CHUNK = 1 << 16  # bytes read or written at once
_MOST_LINES = 1000  # which may come before the answer
_TAIL = 4096  # bytes of standard error that are kept
_SECONDS_TO_END = 1.0  # between the end of its input, SIGTERM and SIGKILL


class Fault(Exception):
    """What a program did in place of answering: its kind, and a sentence."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Child:
    """A program that is running. Its standard error is read too; if it ends, the last line is reported.

    Args:
        command: the program and its arguments.

    Raises:
        Fault: if it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            with starting():
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,  # Ctrl-C reaches this process alone, which ends the program
                )
        except (OSError, ValueError) as error:
            raise Fault("start", f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._in, self._out, self._err = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._selector = selectors.DefaultSelector()
        for pipe, events in ((self._out, selectors.EVENT_READ), (self._err, selectors.EVENT_READ)):
            os.set_blocking(pipe, False)
            self._selector.register(pipe, events)
        os.set_blocking(self._in, False)
        self._read = b""  # what has been read of the line that is coming
        self._tail = b""
        self._unwritten = b""
        self._end = weakref.finalize(self, _end, self._process, self._selector)

    def close(self) -> None:
        """End the program: its input ends, and if it does not end by itself it is killed."""
        self._end()

    def ask(self, line: bytes, is_answer: Callable[[bytes], bool], seconds: float, longest: int) -> bytes:
        """Write a line and return the first line of the program for which `is_answer` is true.

        Raises:
            Fault: if it ends, takes too long, or writes a line longer than `longest` bytes or too many lines.
        """
        deadline = time.monotonic() + seconds
        self._unwritten += line
        seen = 0
        while True:
            while b"\n" in self._read:
                found, _, self._read = self._read.partition(b"\n")
                if is_answer(found):
                    return found
                seen += 1
                if seen > _MOST_LINES:
                    raise Fault("flood", f"wrote more than {_MOST_LINES} lines that are no answer")
            if len(self._read) > longest:
                raise Fault("flood", f"wrote a line of more than {longest} bytes")
            left = deadline - time.monotonic()
            if left <= 0:
                raise Fault("time", f"took longer than {1000 * seconds:.0f} ms")
            self._exchange(left)

    def _exchange(self, seconds: float) -> None:
        """Write and read what is possible now, or wait for it."""
        if self._unwritten and self._in not in self._selector.get_map():
            self._selector.register(self._in, selectors.EVENT_WRITE)
        for key, _ in self._selector.select(seconds):
            if key.fd == self._in:
                self._write()
                continue
            found = os.read(key.fd, _CHUNK)
            if not found:
                self._selector.unregister(key.fd)
                if key.fd == self._out:
                    raise Fault("end", self._last_words())
            elif key.fd == self._out:
                self._read += found
            else:
                self._tail = (self._tail + found)[-_TAIL:]

    def _write(self) -> None:
        try:
            count = os.write(self._in, self._unwritten[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:  # it has closed its input: it has ended, or never reads
            raise Fault("end", self._last_words()) from None
        self._unwritten = self._unwritten[count:]
        if not self._unwritten:
            self._selector.unregister(self._in)

    def _last_words(self) -> str:
        """That the program has ended, with its exit status and the last line of its standard error."""
        try:
            status: object = self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return "closed its output"
        with suppress(OSError):
            self._tail += os.read(self._err, _TAIL)
        lines = [line for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        return f"ended with status {status}" + (f": {cut(printable(lines[-1].strip()))}" if lines else "")


def _end(process: subprocess.Popen[bytes], selector: selectors.BaseSelector) -> None:
    """End a program and close its pipes."""
    selector.close()
    assert process.stdin is not None
    process.stdin.close()
    for stop in (lambda: None, process.terminate, process.kill):
        stop()
        try:
            process.wait(_SECONDS_TO_END)
            break
        except subprocess.TimeoutExpired:
            continue
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def check_posix() -> None:
    """Raise an AgentError on systems on which one cannot wait for several pipes."""
    if os.name == "nt":
        raise AgentError("exec: programs as agents need Linux or macOS")
