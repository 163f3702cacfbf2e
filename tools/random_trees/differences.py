"""Intended differences from coreutils: docs/verbs.md documents them, and each
row says why. Whatever a row does not excuse must be the same."""

import stat
from typing import Callable, NamedTuple

from situation import SPECIAL


class Difference(NamedTuple):
    name: str
    reason: str
    applies: Callable  # takes a Situation
    may_refuse: bool = False  # although coreutils does it
    may_do: bool = False  # although coreutils is not run
    may_exceed: bool = False  # although coreutils refuses; contents are compared with those before
    no_oracle: bool = False  # coreutils would wait, or do something harmful: it is not run
    prepare: tuple = ()  # coreutils options
    moved: Callable = None  # for each source, whether an error may leave entries moved
    instead: Callable = None  # lists of equivalent coreutils commands
    last: Callable = None  # lists of more commands, unless an earlier one failed
    rewrite: Callable = None  # operands for coreutils, replacing the sources
    makes: Callable = None  # directories created before coreutils runs
    ignored: tuple = ()  # fields of Entry that may differ in what the command wrote


DIFFERENCES = [
    Difference(
        "missing directories of the target are made",
        "stores have none that could be missing; but cp without -r, and mv of files, make none",
        lambda s: (s.command.copies_trees or s.command.verb == "mv") and s.missing_folders(),
        makes=lambda s: s.missing_folders(), may_refuse=True),
    Difference(
        "touch changes no times",
        "no operation of the interface sets times; so what exists needs no right to set them",
        lambda s: s.command.verb == "touch", instead=lambda s: s.touching()),
    Difference(
        "devices, FIFOs and sockets are not copied",
        "they are no files: reading waits or never ends, and replacing breaks what uses them",
        lambda s: s.command.is_copy and (
            s.any_source(*SPECIAL) or
            s.command.verb != "cp -n" and (s.any_target(*SPECIAL) or s.target_special)),
        may_refuse=True, no_oracle=True),
    Difference(
        "a directory that may not be written to is moved into a new folder",
        "it is made anew there with its mode; rename(2) would have to write to it, and refuses",
        lambda s: s.command.verb == "mv" and s.any_closed_folder() and s.missing_folders(),
        may_exceed=True),
    Difference(
        "mv replaces no device, FIFO or socket",
        "what uses them would find a file; mv(1) asks for no more than rights",
        lambda s: s.command.verb == "mv" and (s.any_target(*SPECIAL) or s.target_special),
        may_refuse=True, no_oracle=True, moved=lambda s: [True for _ in s.finals]),
    Difference(
        "a copy replaces links and names, not what they lead to",
        "it is written under another name and renamed, so that no half of it is seen",
        lambda s: s.command.is_copy and (s.any_target(stat.S_IFLNK) or s.shares_inodes),
        prepare=("--remove-destination",), ignored=("mode",)),
    Difference(
        "a file onto itself is refused with -n too",
        "it is a mistake in any case; cp(1) sees a target that exists, and leaves it",
        lambda s: s.command.verb == "cp -n" and s.onto_itself(), may_refuse=True),
    Difference(
        "mv of a directory onto one merges them",
        "as cp -r does, and as in stores, where no directory stands in the way",
        lambda s: s.command.verb == "mv" and any(s.merges),
        instead=lambda s: s.merging(), ignored=("attributes of directories",),
        moved=lambda s: s.merges),
    Difference(
        "mv to another disk deletes each entry when its copy is done",
        "so an error leaves no more than that one twice; mv(1) copies all, then deletes all",
        lambda s: s.command.verb == "mv" and any(s.across), moved=lambda s: s.across),
    Difference(
        "links that lead round in circles are refused, or copied once",
        "the plan is made before anything is; cp -L copies what it makes, up to any depth",
        lambda s: s.command.copies_trees and s.leads_in_circles(),
        may_refuse=True, may_do=True, no_oracle=True),
    Difference(
        "touch and mkdir take `..`, and touch a slash at the end, as text where nothing is",
        "they are the plugin's, which cleans paths; nothing that exists is changed",
        lambda s: s.command.verb in ("touch", "mkdir", "mkdir -p") and s.is_cleaned(),
        may_refuse=True, rewrite=lambda s: s.cleaned()),
    Difference(
        "one source that is named twice is refused",
        "it is a mistake in most cases; cp(1) warns",
        lambda s: s.command.has_target and len(set(s.real_finals)) < len(s.finals),
        may_refuse=True),
    Difference(
        "a file that the user may not write is not replaced, whatever its folder allows",
        "its mode is there to protect it",
        lambda s: s.command.is_copy and s.replaces_unwritable(), may_refuse=True),
    Difference(
        "only root can give a copy the owner of the file that it replaces",
        "the copy is a new file",
        lambda s: s.command.is_copy and s.user != 0 and s.replaces_of_others(),
        ignored=("owner",)),
    Difference(
        "no file is put in the place of a link to a directory",
        "who follows the link takes it for the directory",
        lambda s: s.command.has_target and s.replaces_link_to_directory(), may_refuse=True),
    Difference(
        "no file is put in the place of a link to a device, FIFO or socket",
        "who follows the link takes it for what it leads to; but cp -n leaves it",
        lambda s: s.command.has_target and s.command.verb != "cp -n" and
        s.replaces_link_to_special(), may_refuse=True),
    Difference(
        "a directory is not put where a path through itself leads",
        "the path leads through the directory, and nowhere once it is moved",
        lambda s: (s.command.copies_trees or s.command.verb == "mv") and
        s.target_is_through_source(),
        may_refuse=True),
    Difference(
        "a directory that the user may not list is not deleted, even if it is empty",
        "all entries are listed before the first is deleted; rm(1) tries rmdir(2)",
        lambda s: s.command.verb == "rm -r" and s.user != 0 and s.any_unreadable_directory(),
        may_refuse=True),
    Difference(
        "mv of a link with a slash behind it is refused",
        "to another disk, mv(1) moves the contents of what it leads to, and then fails",
        lambda s: s.command.verb == "mv" and s.moves_slashed_link(), no_oracle=True,
        moved=lambda s: [True for _ in s.finals]),
    Difference(
        "sync copies what is missing, longer, shorter or older",
        "coreutils have no such command",
        lambda s: s.command.is_sync, instead=lambda s: s.syncing(),
        last=lambda s: s.deleting()),
    Difference(
        "sync takes directories",
        "of a file it would make a directory",
        lambda s: s.command.is_sync and not s.source_is(0, stat.S_IFDIR), no_oracle=True),
    Difference(
        "sync --delete of a source without files is refused",
        "a mount or a bucket may be missing; --really does it",
        lambda s: s.command.is_sync and s.would_empty(), no_oracle=True),
    Difference(
        "sync --delete leaves what may be another name of a file that stays",
        "the file would be changed, or gone",
        lambda s: s.command.is_sync and s.deletes_another_name(), may_refuse=True),
    Difference(
        "sync out of a directory in the target may be refused",
        "--delete would delete the source, and a copy may be put in its place",
        lambda s: s.command.is_sync and s.source_is_in_target(), may_refuse=True),
    Difference(
        "rm -r of what an earlier argument took with it, or leads to, is done",
        "it is gone, as was asked, or what was named when the command began; rm(1) misses it",
        lambda s: s.command.verb == "rm -r" and any(
            s.goes_with_earlier(index) or s.leads_through_earlier(index)
            for index in range(len(s.old_names))),
        rewrite=lambda s: s.without_gone()),
]
