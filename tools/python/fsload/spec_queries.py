"""How the fsspec file systems tell what is there: one path, a directory, or a whole tree."""
import datetime
from typing import Any, Callable, Dict, List, Optional

import fsload


class Queries:
    """Methods of a file system; `dircache` has the listings that it keeps."""

    dircache: Any
    jobs: int
    uri: Callable[[str], str]
    _ls_from_cache: Callable[[str], Any]
    _strip_protocol: Callable[..., Any]

    @staticmethod
    def _info(name: str, stat: Any) -> Dict[str, Any]:
        return {"name": name, "size": 0 if stat.is_dir else stat.size,
                "type": "directory" if stat.is_dir else "file",
                "mtime": stat.modified_ns / 1e9}

    def info(self, path: str, **_: Any) -> Dict[str, Any]:
        name = self._strip_protocol(path)
        cached = self._ls_from_cache(name) if self.dircache.use_listings_cache else None
        for row in cached or []:
            if row["name"] == name:
                return dict(row)
        return self._info(name, fsload.stat(self.uri(name)))

    def exists(self, path: str, **_: Any) -> bool:
        return fsload.exists(self.uri(path))

    def isdir(self, path: str) -> bool:
        """Return whether a directory is there. Raise an Error if that cannot be found out."""
        return self._type(path) == "directory"

    def isfile(self, path: str) -> bool:
        """Return whether a file is there. Raise an Error if that cannot be found out."""
        return self._type(path) == "file"

    def _type(self, path: str) -> str:
        try:
            return str(self.info(path)["type"])
        except (FileNotFoundError, NotADirectoryError):
            return ""

    @staticmethod
    def _child_name(name: str, entry: fsload.Entry) -> str:
        return name + ("" if name.endswith("/") or not name else "/") + entry.path

    def _child(self, name: str, entry: fsload.Entry) -> Dict[str, Any]:
        child = self._child_name(name, entry)
        # A link that leads nowhere. A directory with this error could not be listed, and what
        # exists could not be examined.
        if isinstance(entry.error, FileNotFoundError) and not entry.is_dir \
                and not fsload.exists(entry.uri):
            return {"name": child, "size": 0, "type": "other"}
        if entry.error is not None:
            raise entry.error
        return self._info(child, entry)

    def ls(self, path: str, detail: bool = True, refresh: bool = False,
           **_: Any) -> List[Any]:
        name = self._strip_protocol(path)
        rows = None if refresh else self._cached_rows(name)
        if rows is None and not detail and not self.dircache.use_listings_cache:
            return self._names(name)
        if rows is None:
            try:
                rows = [self._child(name, entry) for entry in
                        fsload.list(self.uri(name), "statistics", jobs=self.jobs)]
            except NotADirectoryError:
                return [self.info(name)] if detail else [name]
            if not rows:
                found = self.info(name)  # raises if nothing is there: stores list any prefix
                if found["type"] == "file":
                    return [found] if detail else [name]
            self.dircache[name] = rows
        # Copies, as callers may change them and the cache has the rows.
        return [dict(row) if detail else row["name"] for row in rows]

    def _cached_rows(self, name: str) -> Any:
        """Return what the cache has of a directory's entries, or of a file; None for nothing."""
        rows = self._ls_from_cache(name)
        # fsspec returns a directory's own row if only its parent was listed.
        is_own = bool(rows) and [row["name"] for row in rows] == [name]
        return None if is_own and rows[0]["type"] == "directory" else rows

    def _names(self, name: str) -> List[str]:
        """Return what ls returns without details, of which none is looked up: that takes a call of
        the plugin each."""
        try:
            found = fsload.list(self.uri(name))
        except NotADirectoryError:
            return [name]
        if not found and self.info(name)["type"] == "file":
            return [name]
        for entry in found:
            if entry.error is not None:
                raise entry.error
        return [self._child_name(name, entry) for entry in found]

    def find(self, path: str, maxdepth: Optional[int] = None, withdirs: bool = False,
             detail: bool = False, **options: Any) -> Any:
        name = self._strip_protocol(path)
        try:
            found = self._below(name, maxdepth, **options)
        except (FileNotFoundError, NotADirectoryError):
            if self.isdir(name):  # it is something below
                raise
            found = [self.info(name)] if self.exists(name) else []
        else:
            # A store lists a prefix that nothing has as empty.
            if (withdirs and path != "") if found else self.exists(name):
                found.append(self.info(name))
        rows = {row["name"]: row for row in sorted(found, key=lambda row: str(row["name"]))
                if withdirs or row["type"] == "file"}
        return rows if detail else [*rows]

    def _below(self, name: str, maxdepth: Optional[int], **options: Any) -> List[Dict[str, Any]]:
        if maxdepth is None:
            return [self._child(name, entry)
                    for entry in fsload.walk(self.uri(name), jobs=self.jobs)]
        if maxdepth < 1:
            raise ValueError("maxdepth must be at least 1")
        found: List[Dict[str, Any]] = []
        folders = [name]
        for _ in range(maxdepth):
            rows = [row for folder in folders for row in self.ls(folder, **options)]
            found += rows
            folders = [row["name"] for row in rows if row["type"] == "directory"]
        return found

    def modified(self, path: str) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self.info(path)["mtime"], datetime.timezone.utc)
