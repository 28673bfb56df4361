"""Work on a Ray cluster: each part is a task, which is done again elsewhere when its worker or its node dies."""

from __future__ import annotations

import logging
import os
import pickle
import re
import socket
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple, cast
from uuid import uuid4
from warnings import catch_warnings, simplefilter

from roborally_env.base.errors import RoboRallyError, one_line
from roborally_env.base.types import Function, JsonObject
from roborally_env.editions import NAMED
from roborally_env.executors.work import (
    RETRIES,
    Part,
    PartialResult,
    Result,
    Shared,
    Ticket,
    Work,
    WorkerLost,
    plain,
    prepared,
)

AHEAD = 4  # parts for each core of the cluster that wait in it
PATIENCE = 5.0  # seconds for a connection, and for tasks to end when a run is stopped
ANSWER = 15.0  # seconds for a first answer, which a busy machine may need
# how a connection of HTTP/2 begins, which is that of all servers of Ray; each side sends its settings, here none
SETTINGS = b"\0\0\0\4\0\0\0\0\0"
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + SETTINGS
CLIENT = "ray://"
OF_NODES, OF_CLIENTS = (
    "/ray.rpc.NodeInfoGcsService/CheckAlive",
    "/ray.rpc.RayletDriver/ClusterInfo",
)  # what each answers
PORTS = "HOST:6379, or ray://HOST:10001 from outside, where `ray start --head` named no other ports"
AUTH = "RAY_AUTH_MODE"  # Ray sets it by itself for "auto" alone
PACKAGE = "roborally_env"
SAME = (PACKAGE, "numba", "llvmlite", "numpy", "pyarrow")  # what must have one version for equal bytes

Versions = dict[str, str]


def import_ray() -> ModuleType:
    """Ray, or a RoboRallyError that says how to install it."""
    try:
        import ray
    except ImportError:
        raise RoboRallyError('ray: Ray is not installed; pip install "roborally_env[ray]" gives it') from None
    return cast(ModuleType, ray)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster at an address, "auto" for the one that runs on this machine. A connection that the caller's program
    has already is used and kept.

    Raises:
        RoboRallyError: without Ray, without a cluster there, or where a node has other versions than this process.
    """
    ray = import_ray()
    mine = not ray.is_initialized()
    if mine:
        _connect(ray, address)
    try:
        yield Cluster(ray, _checked_versions(ray))
    finally:
        if mine:
            ray.shutdown()


def _connect(ray: ModuleType, address: str) -> None:
    """Connect, quietly: Ray would print a page to standard output whenever a node dies."""
    os.environ.setdefault("RAY_task_oom_retries", str(RETRIES))  # by default for ever, whatever max_retries says
    from ray._private import worker

    worker._worker_logs_enabled = False
    logging.getLogger("ray._private.authentication").setLevel(logging.ERROR)  # it logs each time that it is on
    _refuse_silence(os.environ.get("RAY_ADDRESS", address) if address == "auto" else address)
    try:
        with catch_warnings():
            simplefilter("ignore")  # Ray's client warns of what it raises then
            ray.init(address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
    except (Exception, SystemExit) as error:  # of many classes; Ray ends the process if the cluster falls silent
        why = " ".join(str(error).split()) if isinstance(error, Exception) else "it does not answer"
        if why.startswith("Failed to connect") and AUTH not in os.environ:
            why += f" (where `ray start` says that authentication is enabled: {AUTH}=token for this command, too)"
        raise RoboRallyError(f"ray: cannot use a cluster at {address!r}: {why}") from None


def _refuse_silence(address: str) -> None:
    """Raise a RoboRallyError where no cluster listens at HOST:PORT: Ray would try for minutes."""
    host, colon, port = address.removeprefix(CLIENT).rpartition(":")
    if not colon and address == "auto":
        return
    if not colon or not port.isdigit():
        raise RoboRallyError(f"ray: expected HOST:PORT, ray://HOST:PORT or auto, got {address!r}")
    try:
        with socket.create_connection((host, int(port)), PATIENCE) as line:
            line.settimeout(ANSWER)
            if os.environ.get("RAY_USE_TLS", "0") not in ("0", "false"):
                return
            line.sendall(HELLO)
            if line.recv(len(SETTINGS))[3:4] != SETTINGS[3:4]:
                raise RoboRallyError(f"ray: no cluster at {address}, but another server: expected {PORTS}")
    except TimeoutError:
        raise RoboRallyError(f"ray: no cluster at {address}: it does not answer; expected {PORTS}") from None
    except (OSError, OverflowError) as error:
        why = f"no cluster at {address}: {one_line(error)}; `ray start --head` begins one"
        raise RoboRallyError(f"ray: {why}") from None
    _refuse_other_port(host, port, address.startswith(CLIENT))


def _refuse_other_port(host: str, port: str, client: bool) -> None:
    """Raise a RoboRallyError where the port is that of Ray's other server: Ray would try for half a minute, and fill
    the screen. Without gRPC, which a bare Ray does not include, nothing is probed."""
    try:
        import grpc
    except ImportError:
        return
    with grpc.insecure_channel(f"{host}:{port}") as channel:
        try:
            channel.unary_unary(OF_NODES if client else OF_CLIENTS)(b"", timeout=ANSWER)
        except grpc.RpcError as error:
            if error.code().name in ("UNIMPLEMENTED", "UNAUTHENTICATED", "UNAVAILABLE", "DEADLINE_EXCEEDED"):
                return
    mine, other = f"{CLIENT}{host}:{port}", f"{host}:{port}"
    if client:
        raise RoboRallyError(f"ray: {mine} is the cluster itself, not its server for clients: expected {PORTS}")
    raise RoboRallyError(f"ray: {other} is the cluster's server for clients: expected {mine}")


def _reader() -> Callable[[], Versions]:
    """A function that reads the versions of `SAME`, "none" for what is missing. It is made here so that Ray sends it by
    value: a node may not have this package."""
    names, package = SAME, PACKAGE

    def read() -> Versions:
        from hashlib import sha256
        from importlib.metadata import PackageNotFoundError, version
        from importlib.util import find_spec
        from pathlib import Path

        found = {}
        for name in names:
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                found[name] = "none"
        spec = find_spec(package)
        for place in (spec.submodule_search_locations or []) if spec else []:
            files = {path.relative_to(place).as_posix(): path for path in Path(place).rglob("*.py")}
            mine = [name for name in sorted(files) if not name.startswith("agents/")]  # which lies elsewhere in a clone
            code = sha256(b"".join(name.encode() + files[name].read_bytes() for name in mine)).hexdigest()
            found[package] += f" (code {code[:8]})"  # versions of a clone differ, their number does not
        return found

    return read


def _checked_versions(ray: ModuleType) -> Versions:
    """The versions of this process, after checking that every working node has the same ones."""
    mine = _reader()()
    ask = ray.remote(_reader())
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as Strategy

    able = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    if not able:
        raise RoboRallyError("ray: no node of the cluster has a core for tasks")
    pinned = [Strategy(node["NodeID"], soft=False) for node in able]
    asked = [ask.options(num_cpus=0, scheduling_strategy=each).remote() for each in pinned]
    for node, answer in zip(able, asked, strict=True):
        try:
            its = _result(ray, answer)
        except WorkerLost:
            if _is_alive(ray, node):
                raise
        else:
            _refuse_other(mine, its, node["NodeName"])
    return mine


def _is_alive(ray: ModuleType, node: JsonObject) -> bool:
    """Whether a node still is in the cluster."""
    return any(each["Alive"] for each in ray.nodes() if each["NodeID"] == node["NodeID"])


def _refuse_other(mine: Versions, its: Versions, node: str) -> None:
    """Raise a RoboRallyError that names the first version in which a node differs."""
    for name, version in mine.items():
        if its[name] != version:
            raise RoboRallyError(
                f"ray: node {node} has {name} {its[name]}, this process {version}; the bytes could differ: install the "
                "same everywhere"
            )


class _Sent(NamedTuple):
    """What a worker needs for its first part of a work."""

    versions: Versions
    editions: str  # the modules that register editions
    folder: str  # the current folder, for agents that are named by their files
    work: bytes  # pickled by hand: what Ray unpickles by itself has read-only arrays


@dataclass(frozen=True)
class Cluster:
    """An Executor on a Ray cluster that this process is connected to."""

    ray: ModuleType  # the module
    versions: Versions
    shares_files = False

    def pays(self, parts: int, seconds: Callable[[], float]) -> bool:
        """See Executor. A cluster that is named is always used."""
        return parts > 0

    def run(self, work: Work, parts: Sequence[Part]) -> Generator[tuple[Part, Result], None, None]:
        """See Executor."""
        ray, begin = self.ray, self._beginner(work, _work)
        left, waiting = deque(parts), dict[Ticket, Part]()  # by task: its part
        try:
            while True:
                room = AHEAD * int(ray.cluster_resources().get("CPU", 1)) - len(waiting)
                for part in [left.popleft() for _ in range(min(max(0, room), len(left)))]:
                    waiting[begin(part)] = part
                if not waiting:
                    return
                ray.wait([*waiting])
                finished, _ = ray.wait([*waiting], num_returns=len(waiting), timeout=0)
                for each in finished:
                    part, result = waiting.pop(each), _result(ray, each)
                    if isinstance(result, PartialResult):
                        left.appendleft(result)  # before others are started
                    yield plain(part), result
        finally:
            self._cancel([*waiting])

    @contextmanager
    def crew(self, work: Work) -> Iterator[ClusterCrew]:
        """See Executor."""
        crew = ClusterCrew(self.ray, self._beginner(work, _work_tuple))
        try:
            yield crew
        finally:
            self._cancel([*crew.waiting])

    def _beginner(self, work: Work, do: Function) -> Function:
        """A function that begins a task, `do`, for a part of this work."""
        sent = _Sent(self.versions, os.environ.get(NAMED, ""), os.getcwd(), pickle.dumps(work))
        key, kept = uuid4().hex, [self.ray.put(sent)]  # in a list Ray does not fetch it for every task
        task = self.ray.remote(do).options(num_cpus=1, max_retries=RETRIES, name="roborally")
        return lambda *part: task.remote(key, kept, *part)

    def _cancel(self, tasks: list[Ticket]) -> None:
        """End tasks that nobody wants any more; those in progress get the time to remove what they have written."""
        for task in tasks:
            self.ray.cancel(task)
        if tasks:
            self.ray.wait(tasks, num_returns=len(tasks), timeout=PATIENCE)


class ClusterCrew:
    """A WorkerPool on a cluster: a part is a task for any of its workers."""

    def __init__(self, ray: ModuleType, begin: Function) -> None:
        self.ray, self.begin = ray, begin
        self.waiting: set[Ticket] = set()

    def share(self, value: object) -> Shared:
        """See WorkerPool."""
        return self.ray.put(value)

    def submit(self, *part: Part) -> Ticket:
        """See WorkerPool."""
        ticket = self.begin(*part)
        self.waiting.add(ticket)
        return ticket

    def result(self, ticket: Ticket) -> Result:
        """See WorkerPool."""
        self.waiting.remove(ticket)
        return _result(self.ray, ticket)


def _result(ray: ModuleType, task: Ticket) -> Result:
    """The result of a task; raises what went wrong in one line."""
    errors = ray.exceptions
    try:
        return ray.get(task)
    except errors.RayTaskError as error:
        cause = error.cause
        raise cause if isinstance(cause, RoboRallyError) else RoboRallyError(f"ray: {one_line(cause)}") from None
    except errors.OutOfMemoryError as error:
        raise WorkerLost(
            f"ray: out of memory on node {_node_in(str(error))}, each time that a part was tried: give the "
            "node fewer cores (ray start --num-cpus) or more memory"
        ) from None
    except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError) as error:
        raise WorkerLost(
            f"ray: the worker of a part ended early each time that it was tried (killed, or a crash): {one_line(error)}"
        ) from None
    except errors.RayError as error:
        raise WorkerLost(f"ray: {one_line(error)}") from None


def _node_in(message: str) -> str:
    """The address of the node in Ray's message about memory."""
    found = re.search(r"IP: ([^,)\s]+)", message)
    return found[1] if found else "of the cluster"


_worker: JsonObject = {}  # of a worker process: key of its work, work, made


def _work(key: str, kept: list[Shared], part: Part) -> Result:
    """Do a part in a worker. Errors name the node."""
    import ray

    try:
        if _worker.get("key") != key:
            _worker.clear()
            _begin(ray.get(kept[0]))
            _worker["key"] = key
        return _worker["work"].do(_worker["made"], part, lambda: False)
    except MemoryError:
        raise RoboRallyError(f"node {_node_name(ray)}: out of memory") from None
    except RoboRallyError as error:
        raise RoboRallyError(f"node {_node_name(ray)}: {error}") from None


def _work_tuple(key: str, kept: list[Shared], *part: Part) -> Result:
    """The same for a part that is a tuple, in which Ray has put what was shared."""
    return _work(key, kept, part)


def _begin(sent: _Sent) -> None:
    """Prepare this worker, as a process that the caller would have started."""
    _refuse_other(sent.versions, _reader()(), "that joined later")
    os.environ[NAMED] = sent.editions
    with suppress(OSError):  # another machine may not have the folder
        os.chdir(sent.folder)
    work = pickle.loads(sent.work)
    _worker.update(work=work, made=prepared(work))


def _node_name(ray: ModuleType) -> str:
    """The name of the node on which this worker runs."""
    mine = ray.get_runtime_context().get_node_id()
    return next((str(node["NodeName"]) for node in ray.nodes() if node["NodeID"] == mine), mine)
