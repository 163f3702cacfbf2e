"""Facts that determine what a command does, read from the disk before it runs.
"""

import os
import stat
from typing import NamedTuple

import syncing

MOST_ENTRIES = 3000  # of one source, through links that form a loop
MOST_DEPTH = 100


class Pair(NamedTuple):
    source: os.stat_result  # None if nothing is there
    target: os.stat_result  # itself, not its link target
    behind: os.stat_result = None  # the target, through links


def _kind(info):
    return stat.S_IFMT(info.st_mode) if info else None


def _ask(path, follow=False):
    try:
        return os.stat(path) if follow else os.lstat(path)
    except OSError:
        return None


def _real_name(path):
    """Without links on the way to it; it may be a link itself."""
    folder, name = os.path.split(path.rstrip(b"/"))
    if name in (b"", b".", b".."):
        return os.path.realpath(path)
    return os.path.join(os.path.realpath(folder), name)


def _device_around(path):
    """That of the nearest existing folder above it."""
    while _ask(path, True) is None:
        path = os.path.dirname(path)
    return os.stat(path).st_dev


class Situation:
    """Facts about a command, as attributes; docstrings of declared differences
    use their names."""

    def __init__(self, command, folder, user):
        self.command, self.folder, self.user = command, folder, user
        at = [os.path.join(folder, path) for path in command.sources]
        self.sources = [Pair(_ask(path, command.is_copy), None) for path in at]
        self.source_links = [stat.S_ISLNK(_kind(_ask(path.rstrip(b"/"))) or 0) for path in at]
        self.slashed = [path.endswith(b"/") for path in command.sources]
        self.double_slash = any(b"//" in path for path in command.paths())
        self.nameless = [os.path.basename(path.rstrip(b"/")) in (b".", b"..") for path in
                         command.sources]
        self.around = [os.path.realpath(folder).startswith(os.path.realpath(path))
                       for path in at]
        self.real_sources = [os.path.realpath(path) for path in at]
        self.old_names = [_real_name(path) for path in at]
        self.target = self.target_itself = None
        self.pairs = [[] for _ in at]
        self.across = [False for _ in at]
        self.merges = [False for _ in at]  # a directory is put where one already exists
        self.finals, self.real_finals, self.new_names = [], [], []
        self.is_endless = False
        if command.has_target:
            self._meet(os.path.join(folder, command.target), at)
        else:
            for index, path in enumerate(at):
                self._walk(path, None, self.pairs[index], follow=False)

    def _meet(self, target, at):
        self.target_slashed = target.endswith(b"/")
        self.target, self.target_itself = _ask(target, True), _ask(target.rstrip(b"/"))
        into = (self.target_is_directory or len(at) > 1) and not self.command.is_sync
        for index, path in enumerate(at):
            name = os.path.basename(path.rstrip(b"/"))
            final = os.path.join(target, name) if into and not self.nameless[index] else target
            self.finals.append(final)
            self._walk(path.rstrip(b"/"), final, self.pairs[index], self.command.is_copy)
            self.real_finals.append(os.path.realpath(final))
            self.new_names.append(os.path.realpath(final) if os.path.isdir(final) else
                                  _real_name(final))
            source = self.sources[index].source
            self.across[index] = bool(source) and source.st_dev != _device_around(
                os.path.dirname(self.new_names[index]))
            self.merges[index] = (_kind(self.pairs[index][0].source) == stat.S_IFDIR and
                                  os.path.isdir(final))

    def _walk(self, source, target, pairs, follow, depth=0):
        if len(pairs) >= MOST_ENTRIES or depth > MOST_DEPTH:
            self.is_endless = True
            return
        info = _ask(source, follow) or _ask(source)
        pairs.append(Pair(info, target and _ask(target), target and _ask(target, True)))
        if not stat.S_ISDIR(_kind(info) or 0) or (self.command.verb in ("cp", "cp -n", "rm")):
            return
        try:
            names = os.listdir(source)
        except OSError:
            return
        for name in names:
            self._walk(os.path.join(source, name), target and os.path.join(target, name), pairs,
                       follow, depth + 1)

    def missing_folders(self):
        """Missing directories above the target, if something is put there that
        could be read, in a directory, or into one of several sources."""
        if not any(pair.source for pair in self.sources):
            return []
        folders = {os.path.dirname(final.rstrip(b"/")) for final in self.finals}
        return [folder for folder in sorted(folders) if not os.path.lexists(folder)]

    def leads_in_circles(self):
        """A directory contains itself, or its own target."""
        sources = [pair.source for pair in self.all_pairs
                   if _kind(pair.source) == stat.S_IFDIR]
        folders = {(info.st_dev, info.st_ino) for info in sources}
        around = set()
        for path in self.real_finals:
            while path not in (b"", b"/"):
                path = os.path.dirname(path)
                info = _ask(path)
                around.add(info and (info.st_dev, info.st_ino))
        return self.is_endless or bool(folders & around)

    def cleaned(self):
        """The paths of touch and mkdir, without a `..` after a non-directory,
        and without a slash after a file to be created."""
        found = []
        for path in self.command.sources:
            before = os.path.join(self.folder, path.rpartition(b"..")[0])
            if b".." in path.split(b"/") and not os.path.isdir(before):
                path = os.path.normpath(path)
            elif self.command.verb == "touch" and not os.path.exists(
                    os.path.join(self.folder, path)):
                path = path.rstrip(b"/")
            found.append(path)
        return tuple(found)

    def is_cleaned(self):
        return self.cleaned() != self.command.sources

    def _replaced(self):
        return [pair.target for pair in self.all_pairs
                if _kind(pair.target) == stat.S_IFREG]

    def replaces_unwritable(self):
        def may_write(info):
            shift = 6 if info.st_uid == self.user else 3 if info.st_gid == self.user else 0
            return info.st_mode >> shift & 2
        return self.user != 0 and not all(map(may_write, self._replaced()))

    def replaces_of_others(self):
        return any((info.st_uid, info.st_gid) != (self.user, self.user)
                   for info in self._replaced())

    def replaces_link_to_directory(self):
        return any(_kind(_ask(final)) == stat.S_IFLNK and os.path.isdir(final)
                   for final in self.finals) or self.command.is_sync and any(
                       _kind(pair.target) == stat.S_IFLNK and
                       _kind(pair.behind) == stat.S_IFDIR != _kind(pair.source)
                       for pair in self.all_pairs)

    def without_slashes_of_links(self):
        return tuple(path.rstrip(b"/") if link else path
                     for path, link in zip(self.command.sources, self.source_links))

    def replaces_link_to_special(self):
        return any(_kind(pair.target) == stat.S_IFLNK and _kind(pair.behind) in SPECIAL
                   for pair in self.all_pairs)

    def target_is_through_source(self):
        """The target is typed as a path below a source directory."""
        target = self.command.target
        return b".." not in target.split(b"/") and any(
            self.source_is(index, stat.S_IFDIR) and target.startswith(path.rstrip(b"/") + b"/")
            for index, path in enumerate(self.command.sources))

    def goes_with_earlier(self, index):
        """Whether an earlier source is this one, or a directory that contains it."""
        name = self.old_names[index]
        return bool(self.sources[index].source) and any(
            name == earlier or name.startswith(earlier + b"/")
            for earlier in self.old_names[:index])

    def leads_through_earlier(self, index):
        """Whether a link on the way to it is an earlier source, or in one."""
        return any(link == earlier or link.startswith(earlier + b"/")
                   for link in self._links_to(self.command.sources[index])
                   for earlier in self.old_names[:index])

    def _links_to(self, path):
        """The links that the kernel follows on the way to `path`."""
        here, rest = self.folder, path.rstrip(b"/").split(b"/")[:-1]
        for _ in range(MOST_DEPTH):
            if not rest:
                return
            part, rest = rest[0], rest[1:]
            here = os.path.normpath(os.path.join(here, part or b"."))
            if os.path.islink(here):
                yield here
                rest = os.readlink(here).split(b"/") + rest
                here = b"/" if rest[0] == b"" else os.path.dirname(here)

    def without_gone(self):
        return tuple(self.old_names[index] if self.leads_through_earlier(index) else path
                     for index, path in enumerate(self.without_slashes_of_links())
                     if not self.goes_with_earlier(index))

    def moves_slashed_link(self):
        return any(link and slash for link, slash in zip(self.source_links, self.slashed))

    def names_after(self, path, indexes):
        """Paths to which mv of these sources may have moved this name."""
        for old, new in ((self.old_names[index], self.new_names[index]) for index in indexes):
            if path == old or path.startswith(old + b"/"):
                yield new + path[len(old):]

    def onto_itself(self):
        found = [pairs[0] for pairs in self.pairs]
        return any(pair.source and pair.target and
                   os.path.samestat(pair.source, _ask(final, True) or pair.target)
                   for pair, final in zip(found, self.finals))

    @property
    def target_special(self):
        return _kind(self.target) in SPECIAL

    @property
    def target_is_directory(self):
        return stat.S_ISDIR(_kind(self.target) or 0)

    @property
    def all_pairs(self):
        return [pair for pairs in self.pairs for pair in pairs]

    def any_source(self, *kinds):
        return any(_kind(pair.source) in kinds for pair in self.all_pairs)

    def any_closed_folder(self):
        """Whether a source is a directory that its owner may not write to."""
        return any(pair.source and stat.S_ISDIR(pair.source.st_mode) and
                   not pair.source.st_mode & stat.S_IWUSR for pair in self.all_pairs)

    def any_unreadable_directory(self):
        """Whether a source is a directory, or has one, that its owner may not list."""
        return any(pair.source and stat.S_ISDIR(pair.source.st_mode) and
                   not pair.source.st_mode & stat.S_IRUSR for pair in self.all_pairs)

    def any_target(self, *kinds):
        return any(_kind(pair.target) in kinds for pair in self.all_pairs)

    def source_is(self, index, kind):
        return _kind(self.sources[index].source) == kind

    @property
    def any_directory_source(self):
        return any(self.source_is(i, stat.S_IFDIR) for i in range(len(self.sources)))

    def merging(self):
        """mv; where a source merges, a copy into the existing directory
        instead: for each source its commands, of which one that fails is the
        last."""
        for source, final, merges in zip(self.command.sources, self.finals, self.merges):
            if merges:
                yield [["cp", "-a", "--remove-destination", "-T", "--", source, final],
                       ["rm", "-r", "--", source]]
            else:
                yield [["mv", "-T", "--", source, final]]

    def syncing(self):
        """sync; what is current is only looked at."""
        source = os.path.join(self.folder, self.command.sources[0])
        yield from syncing.copies(source, self.finals[0], "--checksum" in self.command.verb)

    def extra(self):
        """What sync --delete is to delete."""
        source = os.path.join(self.folder, self.command.sources[0])
        if "--delete" not in self.command.verb or not (
                os.path.isdir(source) and os.path.isdir(self.finals[0])):
            return []
        return list(syncing.extra(source, self.finals[0]))

    def deleting(self):
        return [[["rm", "-r", "--", path]] for path in self.extra()]

    def would_empty(self):
        """sync --delete of nothing would delete everything."""
        return bool(self.extra()) and not syncing.has_files(self.real_sources[0])

    def deletes_another_name(self):
        """One of these may be another name of a file that stays."""
        return any(info.st_nlink > 1 for path in self.extra() for one in syncing.below(path)
                   if stat.S_ISREG((info := os.lstat(one)).st_mode))

    def source_is_in_target(self):
        target = os.path.realpath(self.finals[0])
        return any(real.startswith(target + b"/") for real in self.real_sources)

    def touching(self):
        """touch, but only an existence check for what is there."""
        for path in self.cleaned():
            is_there = os.path.exists(os.path.join(self.folder, path))
            yield [["test", "-e", path] if is_there else ["touch", "--", path]]

    @property
    def shares_inodes(self):
        """The target is a file with several names."""
        return any(pair.target and stat.S_ISREG(_kind(pair.target)) and pair.target.st_nlink > 1
                   for pair in self.all_pairs)


SPECIAL = (stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFCHR, stat.S_IFBLK)
