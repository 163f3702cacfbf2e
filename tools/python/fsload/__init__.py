"""Loads and uses the filesystem plugins of TensorFlow, without TensorFlow.

    import fsload

    with fsload.open("s3://bucket/greeting", "w") as file:
        file.write("hello")
    print([entry.path for entry in fsload.list("s3://bucket")])

A function that takes a URI finds and loads the plugin of its scheme first. All may be called
by any thread, and none holds the interpreter's lock while it waits. What goes wrong is raised
as an fsload.Error, which is an OSError.
"""
from fsload._library import text_of as _text_of
from fsload._native import lib as _lib
from fsload.contents import read_bytes, read_ranges, write_bytes
from fsload.entries import Entry, glob, list, walk
from fsload.errors import Error
from fsload.files import Reader, Writer, open
from fsload.paths import (Stat, copy, exists, flush_caches, is_dir, is_file, makedirs, mkdir,
                          remove, rename, rmdir, rmtree, stat)
from fsload.plugins import Isolation, find, load, retire, retire_all, schemes
from fsload.report import Finding, LoadReport, Scheme, check

__version__ = _text_of(_lib.fsload_version())

__all__ = [
    "Entry", "Error", "Finding", "Isolation", "LoadReport", "Reader", "Scheme", "Stat", "Writer", "check",
    "copy", "exists", "find", "flush_caches", "glob", "is_dir", "is_file", "list", "load",
    "makedirs", "mkdir", "open", "read_bytes", "read_ranges", "remove", "rename", "retire",
    "retire_all", "rmdir", "rmtree", "schemes", "stat", "walk", "write_bytes",
]
