"""What a check or a load has found out about a plugin."""
import dataclasses
import json
import os
from typing import Any, Dict, List, Optional

from fsload import _command
from fsload._library import Path, text_of
from fsload._native import lib
from fsload.errors import Error, error_of


@dataclasses.dataclass(frozen=True)
class Finding:
    """A rule that the plugin breaks, in one place."""

    rule: str  # "FSP107"; `fsload explain FSP107` tells more
    severity: str  # "must" refuses the plugin; "should", "note"
    title: str  # what holds for a plugin that keeps the rule
    message: str  # what is wrong, and what follows or what to do
    repair: str  # what the plugin's author or user can do
    clause: str = ""  # lines of the interface header: "L943-L952"
    scheme: Optional[str] = None  # None: the plugin as a whole
    table: Optional[str] = None
    op: Optional[str] = None  # "filesystem.stat"
    wanted: Optional[int] = None  # bytes, versions or counts
    found: Optional[int] = None


@dataclasses.dataclass(frozen=True)
class Scheme:
    """A scheme of a plugin, and where its operations ("filesystem.stat") come from."""

    name: str  # "": local paths
    registered: bool  # False after a check
    own: List[str]  # the plugin's
    defaults: List[str]  # carried out by fsload
    missing: List[str]  # UNIMPLEMENTED


@dataclasses.dataclass(frozen=True)
class LoadReport:
    """What is known of one plugin after a load or a check."""

    plugin: str  # its path, as it was named
    verdict: str  # "verified", "refused" or "not_tried"
    code: str  # "OK", or what a program that loads it gets
    message: str
    findings: List[Finding]
    schemes: List[Scheme]
    # All of it: a plugin of docs/check.schema.json.
    document: Dict[str, Any] = dataclasses.field(repr=False)

    @property
    def verified(self) -> bool:
        """Return whether it can be loaded."""
        return self.verdict == "verified"

    def raise_if_refused(self) -> None:
        """Raise what a load of this plugin would, unless it is verified."""
        if not self.verified:
            raise error_of(self.code, self.message, self.plugin)


_FINDING_FIELDS = [field.name for field in dataclasses.fields(Finding)]


def report_from(document: Dict[str, Any]) -> LoadReport:
    """Return a report from a plugin of docs/check.schema.json."""
    return LoadReport(
        plugin=document["plugin"], verdict=document["verdict"],
        code=document["status"]["name"], message=document["status"]["message"],
        findings=[Finding(**{name: row[name] for name in _FINDING_FIELDS if name in row})
                  for row in document["findings"]],
        schemes=[Scheme(row["scheme"], row["registered"], row["present"], row["default"],
                        row["unavailable"])
                 for row in document["schemes"]],
        document=document)


def report_of(report: Any) -> LoadReport:
    """Return a report from one of the C API."""
    return report_from(json.loads(text_of(lib.fsload_report_json(report))))


def check(path: Path, *, timeout_seconds: Optional[float] = None, network: bool = False,
          only_static: bool = False, allow_list: Optional[Path] = None) -> LoadReport:
    """Check the plugin in the file `path`, loaded in a confined process of its own: a crash
    or a hang is just a finding, and nothing of it reaches this process.

    `timeout_seconds` (10) is when it is killed. `network` allows internet sockets. `only_static`
    runs none of its code. Raise an Error only if it could not be checked.
    """
    options = ["--format=json"]
    if timeout_seconds is not None:
        options.append(f"--timeout={timeout_seconds}")
    if allow_list is not None:
        options.append(f"--allow-list={os.fsdecode(allow_list)}")
    options += ["--network"] * network + ["--static"] * only_static
    name = os.fsdecode(path)
    # By the command: this process may have threads, and must not fork then.
    ended = _command.run("check", *options, "--", name)
    try:
        document = json.loads(ended.stdout)
    except ValueError:
        raise Error("INTERNAL", ended.stderr.strip() or f"{name}: could not be checked",
                    name) from None
    if len(document["plugins"]) != 1:
        raise error_of("INVALID_ARGUMENT", f"{name}: is not one plugin, but "
                       f"{len(document['plugins'])}; name a plugin's file", name)
    return report_from(document["plugins"][0])
