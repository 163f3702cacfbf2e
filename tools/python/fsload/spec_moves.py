"""How the fsspec file systems move files: by a copy of each, and then by deleting it."""
import os
import posixpath
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from fsspec.callbacks import DEFAULT_CALLBACK

from fsload import contents, paths, plugins
from fsload.errors import AbortedError, DirectoryError, InvalidArgumentError
from fsload.spec_parallel import Plan
from fsload.uris import path_of


def _invalid(uri: str, message: str) -> InvalidArgumentError:
    return InvalidArgumentError("INVALID_ARGUMENT", f"{uri}: {message}", uri)


class Moves:
    """Methods of a file system that can copy and delete."""

    jobs: int
    cp_file: Callable[..., None]
    expand_path: Callable[..., List[str]]
    isdir: Callable[[str], bool]
    rm_file: Callable[[str], None]
    uri: Callable[[str], str]
    _each: Callable[..., None]
    _remove: Callable[..., None]
    _strip_protocol: Callable[..., Any]

    def mv(self, path1: Any, path2: Any, recursive: bool = False,
           maxdepth: Optional[int] = None, **options: Any) -> None:
        """Move like fsspec's mv, but raise before anything is deleted that has no copy."""
        if maxdepth is not None:
            raise NotImplementedError("mv: files below maxdepth would be deleted without a copy")
        are_names = isinstance(path1, list) and isinstance(path2, list)  # as fsspec's copy has it
        names = self._strip_protocol(path1) if are_names else self.expand_path(path1)
        are_folders = contents.in_parallel(self.isdir, names, jobs=self.jobs)
        for name, is_folder in zip(names, are_folders):
            if is_folder:
                self._check_folder(name, path2, recursive)
            elif not isinstance(path2, list):
                self._refuse_same(name, path2)
        plan = Plan(self)
        plan.copy(path1, path2, recursive=recursive, **options)
        self._check_pairs(plan.pairs)
        for name in names if recursive else []:
            paths.refuse_root(plugins.ready(self.uri(name)))
        sources = [self._strip_protocol(source) for source, _ in plan.pairs]
        before = contents.in_parallel(self._stat, sources, jobs=self.jobs)
        self._each(self.cp_file, plan.pairs, DEFAULT_CALLBACK, **options)
        self._remove_copied(dict(zip(sources, before)))

    def _stat(self, name: str) -> paths.Stat:
        return paths.stat(self.uri(name))

    def _remove_copied(self, copied: Dict[str, paths.Stat]) -> None:
        """Delete the files that are as they were before their copy, and then the directories,
        which have to be empty."""
        folders = [name for name in sorted(copied, reverse=True) if copied[name].is_dir]
        behind_links = tuple(name + "/" for name in folders if self._is_link(name))

        def remove(name: str) -> None:
            if self._stat(name) != copied[name]:
                uri = self.uri(name)
                raise AbortedError("ABORTED", f"{uri}: changed while it was copied; it is not "
                                   "deleted", uri)
            self.rm_file(name)

        contents.in_parallel(remove, [name for name in copied if not copied[name].is_dir
                                      and not name.startswith(behind_links)], jobs=self.jobs)
        # Deletes a link, not the directory to which it leads.
        self._remove([name for name in folders if not name.startswith(behind_links)],
                     recursive=False, emptied=True)

    def _check_folder(self, folder: str, target: Any, recursive: bool) -> None:
        uri = self.uri(folder)
        if not recursive:
            raise DirectoryError("FAILED_PRECONDITION",
                                 f"{uri}: is a directory; use recursive=True", uri)
        if isinstance(target, list):
            raise _invalid(uri, "is a directory, which cannot be moved to a list of targets; "
                           "move it alone")
        if (self._place(target) + "/").startswith(self._place(folder) + "/"):
            raise _invalid(uri, f"cannot move a directory into itself ('{self.uri(target)}')")

    def _check_pairs(self, pairs: List[Tuple[Any, Any]]) -> None:
        """Raise if a copy would replace another one, or a file that is moved, too, or if a file
        is named twice."""
        sources = {self._place(source) for source, _ in pairs}
        names: Set[str] = set()
        targets: Set[str] = set()
        for source, target in pairs:
            self._refuse_same(source, target)
            name, place = self._strip_protocol(source), self._place(target)
            if name in names:
                raise _invalid(self.uri(source), "is named twice")
            if place in sources:
                raise _invalid(self.uri(target), "is both a source and a target")
            if place in targets:
                raise _invalid(self.uri(target), "two sources have this target")
            names.add(name)
            targets.add(place)

    def _refuse_same(self, source: str, target: str) -> None:
        if self._place(source) == self._place(target):
            raise InvalidArgumentError("INVALID_ARGUMENT", f"{self.uri(source)} and "
                                       f"{self.uri(target)} are the same file", self.uri(source))

    def _is_link(self, name: str) -> bool:
        path = path_of(self.uri(name))
        return path is not None and os.path.islink(path)

    def _place(self, path: str) -> str:
        """Return what a path leads to: links on this machine are resolved."""
        uri = self.uri(path)
        local = path_of(uri)
        if local is not None:
            return os.path.realpath(local)
        scheme, _, rest = uri.partition("://")
        return f"{scheme}:{posixpath.normpath(rest)}"
