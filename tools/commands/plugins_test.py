#!/usr/bin/python3
"""Plugins as users install them: wheels, folders, names and schemes.

The arguments are the paths of the fsload command and of threaded_finder, another program
with fsload in it; plugins are in testdata/.
"""

import json
import os
import re
import shutil
import stat
import sys
import unittest
import zipfile

from command import FSLOAD, CommandTest, run

THREADED_FINDER = os.path.abspath(sys.argv[2])

WHEEL = "some_thing-1-py3-none-any.whl"
KNOWN = ["tensorflow-io-gcs-filesystem", "tensorflow-io"]


def plugin(name):
    return f"testdata/{name}.so"


class Plugins(CommandTest):
    def setUp(self):
        super().setUp()
        self.cache = os.path.join(self.folder, "cache")

    def run_fsload(self, *arguments, program=FSLOAD, **variables):
        """(exit code, standard output, standard error), independent of the machine."""
        return run(*arguments, program=program,
                   env={"XDG_CACHE_HOME": self.cache, "HOME": self.at("home"),
                        "PATH": "/nowhere", **variables})

    def path(self, *names):
        path = os.path.join(self.folder, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def put(self, name, *names):
        """Copies testdata/NAME.so there; yields its path."""
        path = self.path(*names)
        shutil.copy(plugin(name), path)
        return path

    def wheel(self, *entries, name=WHEEL, **options):
        """Creates a wheel with these entries: (name, contents or a plugin's
        path)."""
        path = self.path("wheels", name)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **options) as archive:
            for entry, contents in entries:
                if isinstance(contents, bytes):
                    archive.writestr(entry, contents)
                else:
                    archive.write(contents, entry)
        return path


class Wheels(Plugins):
    def test_loads_the_plugin_in_a_wheel(self):
        path = self.wheel(("a/__init__.py", b""), ("a/libm.so", plugin("memory")))
        for _ in range(2):
            self.assertEqual(self.run_fsload("ls", "--plugin", path, "memory:///"), (0, "", ""))

    def test_are_checked_in_the_folder_that_they_are_in(self):
        path = self.wheel(("a/libm.so", plugin("memory")))
        code, out, err = self.run_fsload("check", os.path.dirname(path))
        self.assertEqual((code, err), (0, ""))
        self.assertIn(f"{path}: unpacked to ", out)
        self.assertIn("libm.so: verified", out)

    def test_warns_of_a_wheel_in_a_folder_that_has_no_plugin(self):
        self.put("memory", "wheels", "m.so")
        path = self.wheel(("a.py", b""))
        code, out, err = self.run_fsload("ls", "--plugin", os.path.dirname(path), "memory:///")
        self.assertEqual((code, out), (0, ""))
        self.assertRegex(err, rf"^[^\n]*warning: {path}: no plugin: [^\n]*\n$")

    def test_checks_what_is_in_a_wheel(self):
        path = self.wheel(("a/good.so", plugin("minimal")), ("b/bad.so", plugin("broken_wrong_abi")),
                          ("c/none.so", plugin("broken_no_entry")))
        for option in [], ["--static"]:
            code, out, err = self.run_fsload("check", *option, path)
            self.assertEqual(err, "")
            first, second = out.splitlines()[:2]
            self.assertRegex(first, rf"^{path}: unpacked to {self.cache}/fsload/wheels/[0-9a-f]{{64}}/files/$")
            self.assertRegex(second, r"/files/a/good.so: verified$")
            self.assertEqual(code, 0 if option else 1)
            self.assertNotIn("none.so", out)

    def test_inspects_what_is_in_a_wheel(self):
        path = self.wheel(("a/good.so", plugin("minimal")))
        code, out, err = self.run_fsload("inspect", path)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\n  scheme 'minimal'\n", out)

    def test_inspects_each_plugin_of_a_scheme_and_warns_of_what_is_none(self):
        self.put("memory", "plugins", "a.so")
        self.put("memory", "plugins", "b.so")
        with open(self.path("plugins", "damaged-1-py3-none-any.whl"), "wb"):
            pass
        code, out, err = self.run_fsload("inspect", os.path.dirname(self.path("plugins", "a.so")))
        self.assertEqual(code, 0, err)
        self.assertEqual(out.count("scheme 'memory'"), 2)
        self.assertIn("damaged-1-py3-none-any.whl", err)

    def test_refuses_names_that_lead_outside(self):
        for name, problem in [("/etc/x.so", "which is an absolute path"),
                              ("../x.so", "whose path leads outside the wheel"),
                              ("a/../../x.so", "whose path leads outside the wheel"),
                              ("a\\x.so", "which has a backslash in its name")]:
            with self.subTest(name):
                path = self.path("wheels", WHEEL)
                with zipfile.ZipFile(path, "w") as archive:
                    archive.write(plugin("minimal"), "good.so")
                    info = zipfile.ZipInfo("x")
                    info.filename = name
                    archive.writestr(info, b"")
                code, out, err = self.run_fsload("check", path)
                self.assertEqual((code, err), (1, ""))
                self.assertIn(f"cannot unpack '{name}', {problem}\n", out)
                self.assertFalse(os.path.exists(self.cache))

    def test_refuses_a_link(self):
        path = self.path("wheels", WHEEL)
        with zipfile.ZipFile(path, "w") as archive:
            info = zipfile.ZipInfo("link.so")
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, b"/etc/passwd")
        code, out, _ = self.run_fsload("check", path)
        self.assertEqual(code, 1)
        self.assertIn("cannot unpack 'link.so', which is a symbolic link", out)

    def test_refuses_a_zip_bomb(self):
        path = self.wheel(("bomb.so", bytes(64 << 20)))
        code, out, _ = self.run_fsload("check", path)
        self.assertEqual(code, 1)
        self.assertIn("of 67108864 bytes packed into ", out)

    def test_refuses_what_is_no_wheel(self):
        path = self.path("wheels", WHEEL)
        for contents, wanted in [(b"no zip file", ": not a zip file"),
                                 (b"PK\3\4 and then", "it is truncated")]:
            with open(path, "wb") as file:
                file.write(contents)
            code, out, _ = self.run_fsload("check", path)
            self.assertEqual(code, 1)
            self.assertIn(wanted, out)

    def test_says_that_no_plugin_is_inside(self):
        path = self.wheel(("a.so", plugin("broken_no_entry")))
        code, out, err = self.run_fsload("ls", "--plugin", path, "memory:///")
        self.assertNotEqual(code, 0)
        self.assertEqual(out, "")
        self.assertIn(f"{path}: no plugin: ", err)

    def test_other_packings_are_named(self):
        path = self.path("wheels", WHEEL)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
            archive.write(plugin("minimal"), "a.so")
        code, out, _ = self.run_fsload("check", path)
        self.assertEqual(code, 1)
        self.assertIn("packed by method 14 instead of 8, deflate", out)

    def test_needs_a_cache_folder_that_is_private(self):
        path = self.wheel(("a.so", plugin("minimal")))
        os.makedirs(os.path.join(self.cache, "fsload"))
        os.chmod(os.path.join(self.cache, "fsload"), 0o777)
        code, out, _ = self.run_fsload("check", path)
        self.assertEqual(code, 1)
        self.assertIn("so they could have put code into the cache: chmod go-w", out)


class Names(Plugins):
    def test_loads_by_name(self):
        path = self.put("memory", "plugins", "libsome_thing.so")
        self.assertEqual(self.run_fsload("ls", "--plugin", "some_thing", "memory:///",
                                         FSLOAD_PLUGIN_PATH=os.path.dirname(path)), (0, "", ""))

    def test_loads_by_package(self):
        path = self.wheel(("a/libm.so", plugin("memory")))
        self.assertEqual(self.run_fsload("ls", "--plugin", "some-thing", "memory:///",
                                         FSLOAD_PLUGIN_PATH=path), (0, "", ""))

    def test_the_bundled_plugin_has_a_name(self):
        code, _, err = self.run_fsload("ls", "--plugin", "posix", "posix:///etc")
        self.assertEqual((code, err), (0, ""))
        code, out, err = self.run_fsload("inspect", "posix")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("scheme 'posix'", out)

    def test_says_where_the_names_are_listed(self):
        path = self.put("memory", "plugins", "some_thing.so")
        code, out, err = self.run_fsload("ls", "--plugin", "else", "memory:///", FSLOAD_PLUGIN_PATH=path)
        self.assertNotEqual(code, 0)
        self.assertEqual((out, err), (
            "", "fsload: FAILED_PRECONDITION: else: no installed plugin has this name; "
                "`fsload plugins` lists them\n"))
        code, out, err = self.run_fsload("inspect", "else", FSLOAD_PLUGIN_PATH=path)
        self.assertEqual((code, out, err), (
            1, "", "fsload: NOT_FOUND: else: no installed plugin has this name; "
                   "`fsload plugins` lists them\n"))

    def test_loads_all_that_is_right_in_a_folder(self):
        self.put("broken_wrong_abi", "plugins", "a.so")
        self.put("memory", "plugins", "b.so")
        self.put("minimal", "plugins", "deep", "c.so")
        folder = os.path.join(self.folder, "plugins")
        for uri in "memory:///", "minimal://" + self.folder:
            code, _, err = self.run_fsload("ls", "--plugin", folder, uri)
            self.assertEqual((code, err), (0, ""))
        code, _, err = self.run_fsload("ls", "--plugin", folder, "broken://x")
        self.assertNotEqual(code, 0)
        self.assertIn(f"; a plugin that '{folder}' names is refused: {folder}/a.so: FSP115", err)

    def test_a_folder_in_which_nothing_is_right_is_an_error(self):
        self.put("broken_wrong_abi", "plugins", "a.so")
        folder = os.path.join(self.folder, "plugins")
        code, _, err = self.run_fsload("ls", "--plugin", folder, self.folder)
        self.assertNotEqual(code, 0)
        self.assertIn("a.so: FSP115", err)
        os.mkdir(os.path.join(self.folder, "empty"))
        code, _, err = self.run_fsload("ls", "--plugin", os.path.join(self.folder, "empty"), self.folder)
        self.assertNotEqual(code, 0)
        self.assertIn("no file in it exports TF_InitPlugin", err)


class Schemes(Plugins):
    def test_finds_the_plugin_for_a_scheme(self):
        wheel = self.wheel(("a/libm.so", plugin("memory")))
        for path in self.put("memory", "plugins", "m.so"), os.path.dirname(wheel), wheel:
            self.assertEqual(self.run_fsload("ls", "memory:///", FSLOAD_PLUGIN_PATH=path), (0, "", ""))

    def test_the_command_tries_it_for_programs_that_have_threads(self):
        path = self.put("memory", "plugins", "m.so")

        def find():
            return self.run_fsload("memory:///", program=THREADED_FINDER, FSLOAD_PLUGIN_PATH=path)

        code, _, err = find()
        self.assertEqual(code, 1)
        self.assertIn(f"unless it is {path}: it was not tried, as this process has several threads; "
                      "run `fsload plugins` once", err)
        self.assertEqual(self.run_fsload("plugins", FSLOAD_PLUGIN_PATH=path)[0], 0)
        self.assertEqual(find(), (0, "", ""))

    def test_finds_it_without_a_folder_for_caches(self):
        path = self.put("memory", "plugins", "m.so")
        self.assertEqual(self.run_fsload("ls", "memory:///", FSLOAD_PLUGIN_PATH=path, HOME="",
                                         XDG_CACHE_HOME=""), (0, "", ""))

    def test_finds_what_python_has(self):
        site = os.path.join("venv", "lib", "python3.11", "site-packages")
        self.put("memory", site, "tensorflow_io", "python", "ops", "libtensorflow_io_plugins.so")
        self.assertEqual(self.run_fsload("ls", "memory:///",
                                         VIRTUAL_ENV=os.path.join(self.folder, "venv")), (0, "", ""))

    def test_finds_what_is_installed_beside_the_command(self):
        program = self.path("install", "bin", "fsload")
        shutil.copy(FSLOAD, program)
        self.put("memory", "install", "lib", "fsload", "plugins", "m.so")
        self.assertEqual(self.run_fsload("ls", "memory:///", program=program), (0, "", ""))

    def test_says_what_to_install(self):
        code, out, err = self.run_fsload("ls", "gs://bucket/")
        self.assertNotEqual(code, 0)
        self.assertEqual((out, err), (
            "", "fsload: FAILED_PRECONDITION: gs://bucket/: no plugin for gs:// is installed; try: "
                "pip install tensorflow-io-gcs-filesystem==0.37.1, or name a wheel in "
                "FSLOAD_PLUGIN_PATH\n"))

    def test_a_plugin_that_crashes_keeps_no_other_from_being_found(self):
        self.put("hostile_crashes_entry", "plugins", "a.so")
        self.put("memory", "plugins", "b.so")
        self.assertEqual(self.run_fsload("ls", "memory:///",
                                         FSLOAD_PLUGIN_PATH=os.path.join(self.folder, "plugins")),
                         (0, "", ""))

    def test_another_plugin_than_the_named_one_may_serve(self):
        path = self.put("memory", "plugins", "b.so")
        self.assertEqual(self.run_fsload("ls", "--plugin", plugin("minimal"), "memory:///",
                                         FSLOAD_PLUGIN_PATH=path), (0, "", ""))


class Renaming(Plugins):
    """A plugin that has s3 only if a variable is set, as the wheels of tensorflow-io 0.19."""

    HAS = " has s3e, and s3:// only with TF_USE_MODULAR_FILESYSTEM=1"

    def test_names_the_variable(self):
        path = self.put("renaming", "plugins", "a.so")
        for arguments, variables in [(["s3://b"], {"FSLOAD_PLUGIN_PATH": path}),
                                     (["--plugin", path, "s3://b"], {})]:
            code, _, err = self.run_fsload("ls", *arguments, **variables)
            self.assertNotEqual(code, 0)
            self.assertIn(path + self.HAS + "; set that", err)
            variables["TF_USE_MODULAR_FILESYSTEM"] = "1"
            _, _, err = self.run_fsload("ls", *arguments, **variables)
            self.assertNotIn("no plugin for", err)

    def test_doctor_names_it_too(self):
        path = self.put("renaming", "plugins", "a.so")
        _, out, _ = self.run_fsload("doctor", "s3://b", FSLOAD_PLUGIN_PATH=path)
        self.assertIn(path + self.HAS + "\n", out)
        self.assertIn("-> export TF_USE_MODULAR_FILESYSTEM=1, or pip install tensorflow-io", out)


class Listing(Plugins):
    def test_lists_what_there_is_and_what_is_not(self):
        good = self.put("memory", "plugins", "libgood.so")
        bad = self.put("broken_wrong_abi", "plugins", "bad.so")
        folder = os.path.dirname(good)
        code, out, err = self.run_fsload("plugins", FSLOAD_PLUGIN_PATH=f"{folder}:/no/such")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, f"""\
posix: ok
  schemes  posix, and local paths
  from     inside fsload
bad: refused
  schemes  broken
  path     {bad}
  from     FSLOAD_PLUGIN_PATH
  problem  FSP115: scheme 'broken': TF_FilesystemOps: wanted ABI 0, found 99; its \
functions have other parameters
good: ok
  schemes  memory
  path     {good}
  from     FSLOAD_PLUGIN_PATH
tensorflow-io-gcs-filesystem: not installed
  schemes  gs
  install  pip install tensorflow-io-gcs-filesystem==0.37.1
tensorflow-io: not installed
  schemes  az http https s3 hdfs viewfs har oss
  install  pip install tensorflow-io==0.37.1
skipped: FSLOAD_PLUGIN_PATH: '/no/such' does not exist
""")

    def test_lists_the_bundled_plugin_once(self):
        program = self.path("install", "bin", "fsload")
        shutil.copy(FSLOAD, program)
        copy = self.put("posix", "install", "lib", "fsload", "plugins", "posix.so")
        code, out, err = self.run_fsload("plugins", program=program)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(out.startswith(f"""\
posix: ok
  schemes  posix, and local paths
  from     inside fsload; for programs: {copy}
tensorflow-io-gcs-filesystem: not installed
"""), out)
        _, out, _ = self.run_fsload("plugins", "--format=json", program=program)
        self.assertEqual([each["path"] for each in json.loads(out)["plugins"]], [copy])

    def test_says_what_works_and_what_to_install_instead(self):
        self.put("linking/missing_in_op", "plugins", "a.so")
        self.put("broken_wrong_abi", "plugins", "libtensorflow_io_plugins.so")
        self.put("renaming", "plugins", "renaming.so")
        _, out, _ = self.run_fsload("plugins", FSLOAD_PLUGIN_PATH=self.path("plugins"))
        for line in ("a: loads; 1 function missing; operations that call it fail",
                     "tensorflow_io_plugins: refused; pip install tensorflow-io==0.37.1 installs "
                     "one that loads",
                     "renaming: ok; s3 only with TF_USE_MODULAR_FILESYSTEM=1"):
            self.assertIn(line + "\n", out)

    def test_lists_for_programs(self):
        wheel = self.wheel(("a/libm.so", plugin("memory")))
        bad = self.put("hostile_crashes_entry", "bad.so")
        code, out, err = self.run_fsload("plugins", "--format=json", FSLOAD_PLUGIN_PATH=f"{wheel}:{bad}")
        self.assertEqual((code, err), (0, ""))
        document = json.loads(out)
        self.assertEqual(document["schema_version"], 1)
        bundled, good, deadly = document["plugins"]
        self.assertEqual((bundled["name"], bundled["schemes"]), ("posix", ["posix", ""]))
        self.assertEqual((good["name"], good["package"], good["wheel"], good["schemes"], good["problem"]),
                         ("m", "some-thing", wheel, ["memory"], None))
        self.assertEqual((deadly["path"], deadly["wheel"]), (bad, None))
        self.assertIn("crashed with SIGSEGV", deadly["problem"])
        self.assertEqual([each["package"] for each in document["not_installed"]], KNOWN)

    def test_python_has_a_protocol_for_each_known_scheme(self):
        document = json.loads(self.run_fsload("plugins", "--format=json")[1])
        known = [scheme for each in document["plugins"] + document["not_installed"]
                 for scheme in each["schemes"] if scheme]
        for path, pattern in [
                ("tools/python/fsload/spec.py", r'protocol, scheme = "fsload\+(\w+)", "\1"'),
                ("tools/python/pyproject.toml", r'(?m)^"fsload\+(\w+)" = '),
                ("docs/python.md", r"`fsload\+(\w+)`")]:
            with self.subTest(path), open(path, encoding="utf-8") as file:
                self.assertCountEqual(set(re.findall(pattern, file.read())), known)

    def test_a_control_character_is_no_command_for_the_terminal(self):
        path = self.put("memory", "plugins", "a\033[31m.so")
        _, out, _ = self.run_fsload("plugins", FSLOAD_PLUGIN_PATH=path)
        self.assertNotIn("\033", out)
        self.assertIn("a\\x1b[31m: ok", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
