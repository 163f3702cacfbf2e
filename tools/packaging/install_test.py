#!/usr/bin/env python3
"""Installs fsload where strangers may, and uses what is there with pkg-config, gcc and
CMake. The arguments are the program that installs, and those that the build gives it."""
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

INSTALL = [os.path.abspath(sys.argv[1]), *sys.argv[2:]]
SECONDS = 300

PROGRAM = """\
#include <fsload/fsload.h>
#include <stdio.h>
int main(void) { puts(fsload_version()); return 0; }
"""
CMAKE = """\
cmake_minimum_required(VERSION 3.18)
project(version C CXX)
find_package(fsload REQUIRED)
add_executable(version version.c)
target_link_libraries(version fsload::fsload)
"""


def run(*command, **options):
    """(exit code, all that it prints)."""
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False,
                           **options)
    return ended.returncode, ended.stdout


def dead_links(folder):
    """The links in documents below `folder` that lead to no file."""
    for at, _, names in os.walk(folder):
        for name in (name for name in names if name.endswith(".md")):
            with open(os.path.join(at, name), encoding="utf-8") as file:
                text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", file.read(),
                              flags=re.MULTILINE | re.DOTALL)
            for link in re.findall(r"\]\(([^()\s#]+)", text):
                if not re.match("[a-z]+:", link) and not os.path.exists(os.path.join(at, link)):
                    yield f"{name}: {link}"


class Installed(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def install(self, *options, **environment):
        return run(*INSTALL, *options, env={
            **os.environ, "HOME": self.folder, "BUILD_WORKING_DIRECTORY": self.folder,
            **environment})

    def installed(self, prefix, **environment):
        code, output = self.install("--prefix", prefix, **environment)
        self.assertEqual(code, 0, output)
        self.assertTrue(os.path.isfile(os.path.join(prefix, "bin/fsload")), output)

    def sources(self):
        folder = self.path("program")
        os.mkdir(folder)
        for name, text in ("version.c", PROGRAM), ("CMakeLists.txt", CMAKE):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        return folder

    def assert_runs(self, program, prefix):
        code, output = run(program, env={"LD_LIBRARY_PATH": os.path.join(prefix, "lib")})
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"^\d+\.\d+\.\d+\n$")

    def assert_builds_with_cmake(self, found_in, prefix):
        build = self.path("build")
        for step in ["-S", self.sources(), "-B", build], ["--build", build]:
            code, output = run("cmake", *step,
                               env={**os.environ, "CMAKE_PREFIX_PATH": found_in})
            self.assertEqual(code, 0, output)
        self.assert_runs(os.path.join(build, "version"), prefix)

    def test_pkg_config_finds_it_whatever_its_name(self):
        prefix = self.path("a b'c\"d#e$f g\\h")
        self.installed(prefix)
        code, output = run("pkg-config", "--cflags", "--libs", "fsload", env={
            **os.environ, "PKG_CONFIG_PATH": os.path.join(prefix, "lib/pkgconfig")})
        self.assertEqual(code, 0, output)
        program = self.path("version")
        code, output = run("gcc", os.path.join(self.sources(), "version.c"), "-o", program,
                           *shlex.split(output))
        self.assertEqual(code, 0, output)
        self.assert_runs(program, prefix)

    def test_cmake_finds_it_in_a_folder_with_spaces(self):
        prefix = self.path("a b")
        self.installed(prefix)
        self.assert_builds_with_cmake(prefix, prefix)

    def test_cmake_finds_it_through_a_link(self):
        prefix = self.path("usr")
        self.installed(prefix)
        os.symlink("usr/lib", self.path("lib"))  # as in Debian
        self.assert_builds_with_cmake(self.folder, prefix)

    def test_a_relative_folder_is_relative_to_the_caller(self):
        code, output = self.install("--prefix", "here")
        self.assertEqual((code, os.listdir(self.folder)), (0, ["here"]), output)

    def test_a_tilde_is_the_home_folder(self):
        code, output = self.install("--prefix=~/here")
        self.assertEqual((code, os.listdir(self.folder)), (0, ["here"]), output)

    def test_refuses_an_empty_folder(self):
        code, output = self.install("--prefix=")
        self.assertEqual((code, os.listdir(self.folder)), (2, []), output)
        self.assertIn("--prefix is empty: is the variable set?", output)

    def test_names_what_is_in_the_way(self):
        file = self.path("file")
        with open(file, "w", encoding="utf-8"):
            pass
        code, output = self.install("--prefix", file)
        self.assertEqual(code, 1, output)
        self.assertRegex(output, rf"^install: {file}\S*: Not a directory; choose another --prefix")
        code, output = self.install("--prefix", "/proc/fsload")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"^install: /proc/fsload\S*: [^;]*; choose another --prefix")

    def test_takes_the_place_of_an_earlier_version(self):
        prefix = self.path("prefix")
        os.makedirs(os.path.join(prefix, "lib"))
        old = os.path.join(prefix, "lib/libfsload.so.0.0.9")
        with open(old, "w", encoding="utf-8") as file:
            file.write("old")
        os.symlink(os.path.basename(old), os.path.join(prefix, "lib/libfsload.so"))
        self.installed(prefix)
        command = os.path.join(prefix, "bin/fsload")
        with open(command, "rb") as in_use:
            self.installed(prefix)
            self.assertFalse(os.path.samestat(os.fstat(in_use.fileno()), os.stat(command)))
        self.assertNotEqual(os.path.realpath(os.path.join(prefix, "lib/libfsload.so")), old)
        with open(old, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")

    def test_everybody_may_read_it_whatever_the_umask(self):
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        prefix = self.path("prefix")
        self.installed(prefix)
        for at, _, names in os.walk(prefix):
            for path in [at] + [os.path.join(at, name) for name in names]:
                wanted = 0o755 if path == at or path.endswith(("bin/fsload", "fsload-worker")) else 0o644
                if not os.path.islink(path):
                    self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), wanted, path)

    def test_its_documents_lead_to_one_another(self):
        prefix = self.path("prefix")
        self.installed(prefix)
        folder = os.path.join(prefix, "share/doc/fsload")
        self.assertEqual(list(dead_links(folder)), [])
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
            self.assertIn("](docs/embedding.md)", file.read())
        self.assertTrue(os.path.exists(os.path.join(folder, "docs/examples/plugin_skeleton/Makefile")))
        self.assertTrue(os.path.exists(os.path.join(folder, "docs/examples/outside/main.cc")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
