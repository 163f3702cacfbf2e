#!/usr/bin/env python3
"""Installs fsload: the library, its headers, the command, the bundled plugins, the
manual and what shells complete."""
import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

import documents

# What libfsload.so shows programs of: its headers include Abseil's.
REQUIRES = ["absl_span", "absl_status", "absl_statusor", "absl_time"]
# What it uses besides.
REQUIRES_PRIVATE = ["absl_inlined_vector", "absl_str_format", "absl_strings", "libmd",
                    "libseccomp", "minizip", "zlib"]

PC_SPECIAL = " \\\"'#"

PC = """\
prefix={prefix}
libdir={libdir}
includedir=${{prefix}}/include

Name: fsload
Description: Loads and uses TensorFlow filesystem plugins without TensorFlow
Version: {version}
Requires: {requires}
Requires.private: {requires_private}
Libs: -L${{libdir}} -lfsload
Libs.private: -pthread -ldl
Cflags: -I${{includedir}} -DFSLOAD_HOST
"""

CMAKE = """\
# fsload::fsload, the shared library, and fsload::static, whose dependencies
# pkg-config knows.
include(CMakeFindDependencyMacro)
find_dependency(absl)
find_dependency(Threads)

# Where /lib is a link to /usr/lib, PREFIX is /usr.
get_filename_component(_fsload_libdir "${{CMAKE_CURRENT_LIST_DIR}}/../.." REALPATH)
get_filename_component(_fsload_prefix "${{_fsload_libdir}}/{libdir_to_prefix}" ABSOLUTE)

if(NOT TARGET fsload::fsload)
  foreach(_fsload_kind SHARED STATIC)
    if(_fsload_kind STREQUAL SHARED)
      set(_fsload_target fsload::fsload)
      set(_fsload_file libfsload.so.{version})
    else()
      set(_fsload_target fsload::static)
      set(_fsload_file libfsload.a)
      find_package(PkgConfig QUIET)
      if(PkgConfig_FOUND)
        pkg_check_modules(_fsload_private QUIET IMPORTED_TARGET {requires_private})
      endif()
      if(NOT _fsload_private_FOUND)
        break()
      endif()
    endif()
    add_library(${{_fsload_target}} ${{_fsload_kind}} IMPORTED)
    set_target_properties(${{_fsload_target}} PROPERTIES
      IMPORTED_LOCATION "${{_fsload_libdir}}/${{_fsload_file}}"
      INTERFACE_COMPILE_DEFINITIONS FSLOAD_HOST
      INTERFACE_COMPILE_FEATURES cxx_std_17
      INTERFACE_INCLUDE_DIRECTORIES "${{_fsload_prefix}}/include"
      INTERFACE_LINK_LIBRARIES "{cmake_requires};Threads::Threads")
  endforeach()
  set_target_properties(fsload::fsload PROPERTIES IMPORTED_SONAME {soname})
  if(TARGET fsload::static)
    set_property(TARGET fsload::static APPEND PROPERTY
      INTERFACE_LINK_LIBRARIES PkgConfig::_fsload_private ${{CMAKE_DL_LIBS}})
  endif()
endif()
"""

CMAKE_VERSION = """\
set(PACKAGE_VERSION {version})
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION OR
   ({major} EQUAL 0 AND NOT PACKAGE_FIND_VERSION STREQUAL "" AND
    NOT "${{PACKAGE_FIND_VERSION_MAJOR}}.${{PACKAGE_FIND_VERSION_MINOR}}" VERSION_EQUAL {series}))
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
elseif(NOT PACKAGE_FIND_VERSION_MAJOR STREQUAL "" AND
       NOT PACKAGE_FIND_VERSION_MAJOR EQUAL {major})
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
"""


def version_in(header):
    """(1, 2, 3) of 1.2.3."""
    with open(header, encoding="utf-8") as file:
        found = dict(re.findall(r"#define FSLOAD_VERSION_(\w+) (\d+)", file.read()))
    return tuple(int(found[part]) for part in ("MAJOR", "MINOR", "PATCH"))


def escaped(text, special):
    """`text` with a backslash before each character that is special."""
    return re.sub(f"([{re.escape(special)}])", r"\\\1", text)


def in_prefix(path, prefix):
    """`path` as fsload.pc has it: relative to ${prefix} if it is below it, so that the
    installation can be moved."""
    below = os.path.relpath(path, prefix)
    if below == ".." or below.startswith("../"):
        return escaped(path, PC_SPECIAL)
    return "${prefix}/" + escaped(below, PC_SPECIAL)


def run(*command, **options):
    """The output of a command; ends this program if it fails."""
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           check=False, timeout=900, **options)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def soname_of(library):
    return re.search(r"SONAME.*\[(.*)\]", run("readelf", "-d", library)).group(1)


class Installation:
    """The folders of an installation, and what is put there."""

    def __init__(self, destdir, prefix, libdir):
        self.destdir = destdir
        self.prefix = prefix
        self.libdir = libdir
        self.count = 0

    def _staged(self, path):
        staged = self.destdir + path
        os.makedirs(os.path.dirname(staged), exist_ok=True)
        # What is in use may be replaced, but not overwritten.
        if os.path.lexists(staged):
            os.remove(staged)
        self.count += 1
        return staged

    def file(self, source, path, mode=0o644):
        staged = self._staged(path)
        shutil.copyfile(source, staged)
        os.chmod(staged, mode)

    def text(self, text, path):
        with open(self._staged(path), "w", encoding="utf-8") as file:
            file.write(text)

    def link(self, target, path):
        os.symlink(target, self._staged(path))

    def page(self, source, path):
        """Compressed, with the same bytes each time."""
        with open(source, "rb") as page, open(self._staged(path + ".gz"), "wb") as file:
            with gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
                out.write(page.read())


def install_library(to, inputs, version):
    dotted = ".".join(map(str, version))
    shared = next(path for path in inputs.library if path.endswith(".so"))
    archive = next(path for path in inputs.library if path.endswith(".a"))
    soname = soname_of(shared)
    to.file(archive, f"{to.libdir}/libfsload.a")
    to.file(shared, f"{to.libdir}/libfsload.so.{dotted}")
    to.link(f"libfsload.so.{dotted}", f"{to.libdir}/{soname}")
    to.link(soname, f"{to.libdir}/libfsload.so")
    to.file(inputs.worker, f"{to.libdir}/fsload/fsload-worker", 0o755)
    for header in inputs.header:
        to.file(header, f"{to.prefix}/{header[header.index('include/fsload/'):]}")
    facts = {
        "prefix": escaped(to.prefix, PC_SPECIAL),
        "libdir": in_prefix(to.libdir, to.prefix),
        "version": dotted,
        "series": ".".join(map(str, version[:2])),
        "major": version[0],
        "soname": soname,
        "requires": ", ".join(REQUIRES),
        "requires_private": ", ".join(REQUIRES_PRIVATE),
        "cmake_requires": ";".join(name.replace("absl_", "absl::") for name in REQUIRES),
        "libdir_to_prefix": escaped(os.path.relpath(to.prefix, to.libdir), "\\\"$"),
    }
    to.text(PC.format(**facts), f"{to.libdir}/pkgconfig/fsload.pc")
    facts["requires_private"] = " ".join(REQUIRES_PRIVATE)
    cmake = f"{to.libdir}/cmake/fsload"
    to.text(CMAKE.format(**facts), f"{cmake}/fsload-config.cmake")
    to.text(CMAKE_VERSION.format(**facts), f"{cmake}/fsload-config-version.cmake")


def description_of(path):
    """All commands and options as JSON, from a program that prints it, or from a file."""
    if not path.endswith(".json"):
        return run(path)
    with open(path, encoding="utf-8") as file:
        return file.read()


def install_command(to, inputs):
    share = f"{to.prefix}/share"
    to.file(inputs.command, f"{to.prefix}/bin/fsload", 0o755)
    for plugin in inputs.plugin:
        to.file(plugin, f"{to.libdir}/fsload/plugins/{os.path.basename(plugin)}")
    with tempfile.TemporaryDirectory() as made:
        description = os.path.join(made, "commands.json")
        with open(description, "w", encoding="utf-8") as file:
            file.write(description_of(inputs.describe))
        run(inputs.manual, description, inputs.verbs, f"{made}/man")
        run(inputs.completions, description, f"{made}/words")
        for page in sorted(os.listdir(f"{made}/man")):
            to.page(f"{made}/man/{page}", f"{share}/man/man1/{page}")
        for name, path in (("fsload", "bash-completion/completions/fsload"),
                           ("_fsload", "zsh/site-functions/_fsload"),
                           ("fsload.fish", "fish/vendor_completions.d/fsload.fish")):
            to.file(f"{made}/words/{name}", f"{share}/{path}")
    tree = inputs.version[:inputs.version.index("core/include/")]
    for document in inputs.document:
        to.file(document, f"{share}/doc/fsload/{os.path.relpath(document, tree or '.')}")
    documents.repair_links(f"{to.destdir}{share}/doc/fsload")


def absolute(path):
    path = os.path.expanduser(path)  # shells leave --prefix=~/fsload as it is
    if not os.path.isabs(path):
        base = os.environ.get("FSLOAD_CALLER_DIRECTORY") or os.environ.get(
            "BUILD_WORKING_DIRECTORY", "")
        path = os.path.join(base, path)
    return os.path.normpath(path)


def add_inputs(parser):
    """The options with which the build names what is installed."""
    for name in ("library", "header", "plugin", "document"):
        parser.add_argument("--" + name, nargs="+", required=True, help=argparse.SUPPRESS)
    for name in ("command", "worker", "describe", "manual", "completions", "verbs", "version"):
        parser.add_argument("--" + name, required=True, help=argparse.SUPPRESS)


def parse_package(parser):
    """The command line of a program that makes packages: the build's inputs, the folder in which
    the packages are put, and the version as a tuple."""
    parser.add_argument("--out", default=".", help="the folder of what is made; the current one by "
                        "default")
    add_inputs(parser)
    parser.add_argument("--shlibs", default="", help=argparse.SUPPRESS)
    inputs = parser.parse_args()
    os.umask(0o022)  # what is packed is for everybody
    out = absolute(inputs.out)
    os.makedirs(out, exist_ok=True)
    return inputs, out, version_in(inputs.version)


def install(inputs, prefix, libdir, destdir=""):
    """Puts all of it into `prefix` and `libdir` in `destdir`. Yields how many files."""
    to = Installation(destdir, prefix, libdir)
    install_library(to, inputs, version_in(inputs.version))
    install_command(to, inputs)
    return to.count


def main():
    parser = argparse.ArgumentParser(prog="install", description=__doc__)
    parser.add_argument("--prefix", required=True, help="the folder of bin, lib, include and share")
    parser.add_argument("--libdir", help="the folder of the library; PREFIX/lib if none is given")
    parser.add_argument("--destdir", default="", help="a folder in which all is put, for packages")
    add_inputs(parser)
    inputs = parser.parse_args()
    if not inputs.prefix:
        parser.error("--prefix is empty: is the variable set?")
    if not inputs.prefix.isprintable():
        parser.error("--prefix has a line break or another control character")
    os.umask(0o022)
    prefix = absolute(inputs.prefix)
    destdir = absolute(inputs.destdir) if inputs.destdir else ""
    try:
        libdir = os.path.normpath(os.path.join(prefix, inputs.libdir or "lib"))
        count = install(inputs, prefix, libdir, destdir)
    except OSError as error:
        sys.exit(f"install: {error.filename2 or error.filename or prefix}: {error.strerror}; choose "
                 "another --prefix, or run this as a user who may write there")
    print(f"{count} files are installed in {destdir}{prefix}.")


if __name__ == "__main__":
    main()
