#!/usr/bin/python3
"""Runs the command with a file of schemes. The argument is its path; plugins are in testdata/."""

import itertools
import json
import os
import unittest

from command import CommandTest, environment, plugin

TWO = """
[left]
scheme = "posix"
plugin = "{posix}"
environment.FSLOAD_TEST_SETTING = "{{}}"
[right]
scheme = "posix"
plugin = "{posix}"
[kept]
scheme = "memory"
plugin = "{memory}"
"""


class Aliases(CommandTest):
    def setUp(self):
        super().setUp()
        self.write(TWO.format(posix=plugin("posix"), memory=plugin("memory")))
        self.variables = environment(
            FSLOAD_SCHEMES=self.at("schemes.toml"), FSLOAD_PLUGIN_PATH="", PATH="/usr/bin:/bin",
            HOME=self.folder, XDG_CACHE_HOME=self.at("cache"))

    def write(self, text):
        self.add("schemes.toml", text.encode(), mode=0o600)

    def run_fsload(self, *arguments, **options):
        return super().run_fsload(*arguments, **{"env": self.variables, **options})

    def test_are_schemes_like_others(self):
        self.add("d/a", b"1")
        self.add("d/e/b", b"22")
        self.assertEqual(self.succeeds("cat", "left://" + self.at("d/a")), "1")
        self.assertEqual(self.succeeds("ls", "left://" + self.at("d")), "a\ne\n")
        self.succeeds("cp", "-r", "left://" + self.at("d"), "right://" + self.at("copy"))
        self.assertEqual(self.tree("copy"), {"a": b"1", "e": None, "e/b": b"22"})
        self.succeeds("sync", "--delete", "right://" + self.at("copy/e"), "left://" + self.at("d"))
        self.assertEqual(self.tree("d"), {"b": b"22"})
        self.succeeds("mv", "left://" + self.at("d/b"), "right://" + self.at("moved"))
        self.assertEqual((self.tree("d"), self.read("moved")), ({}, b"22"))
        self.succeeds("rm", "-r", "left://" + self.at("copy"))
        self.assertFalse(os.path.exists(self.at("copy")))

    def test_of_one_place_are_known_to_be(self):
        inner, outer = self.at("d/e"), self.at("d")
        self.add("d/e/f", b"precious")
        self.add("d/f", b"othertxt")
        before = self.tree("d")
        for source, target in itertools.product(("left://", "right://", ""), repeat=2):
            for words, *arguments in (
                    ("from which --delete would delete it",
                     "sync", "--delete", source + inner, target + outer),
                    ("cannot move a directory into itself",
                     "mv", source + outer, target + inner + "/g"),
                    ("cannot copy a directory into itself",
                     "cp", "-r", source + outer, target + inner + "/g")):
                with self.subTest(arguments=arguments):
                    self.fails(1, words, *arguments)
                    self.assertEqual(self.tree("d"), before)

    def test_of_one_place_are_known_by_a_link(self):
        self.add("d/e/f", b"precious")
        os.symlink(self.at("d"), self.at("link"))
        before = self.tree("d")
        for source in ("left://", "posix://", ""):
            self.fails(1, "from which --delete would delete it", "sync", "--delete",
                       source + self.at("d/e"), "right://" + self.at("link"))
            for end in ("", "/"):
                self.fails(1, "cannot move a directory into itself", "mv", source + self.at("d"),
                           "right://" + self.at("link/new") + end)
                self.fails(1, "cannot copy a directory into itself", "cp", "-r",
                           source + self.at("d"), "right://" + self.at("link/new") + end)
            for verb in ("cp", "mv"):
                self.fails(1, "are the same file", verb, source + self.at("d/e/f"),
                           "right://" + self.at("link/e/f"))
            self.assertEqual(self.tree("d"), before)

    def test_of_one_place_overwrite_no_other_source(self):
        for one, other, target in (("left://", "right://", ""), ("", "left://", ""),
                                   ("left://", "left://", "right://"),
                                   ("posix://", "left://", "right://"),
                                   ("left://", "", "right://"), ("left://", "left://", "left://")):
            for name in ("D", "link", "p/../D"):
                with self.subTest(one=one, other=other, target=target, name=name):
                    self.add("p/x/y", b"one")
                    self.add("D/x/y", b"precious")
                    if not os.path.lexists(self.at("link")):
                        os.symlink(self.at("D"), self.at("link"))
                    before = self.tree("p"), self.tree("D")
                    for verb in (("mv",), ("cp", "-r")):
                        self.fails(1, "is also a source", *verb, "-j1", one + self.at("p/x"),
                                   other + self.at(name, "x/y"), target + self.at("D"))
                        self.assertEqual((self.tree("p"), self.tree("D")), before)

    def test_of_one_place_are_not_copied_up_over_what_is_read(self):
        for source, target in (("left://", "right://"), ("left://", ""), ("", "left://"),
                               ("left://", "left://")):
            for name in ("d", "link"):
                with self.subTest(source=source, target=target, name=name):
                    self.add("d/e/f", b"middle")
                    self.add("d/e/e/f", b"innermost")
                    if not os.path.lexists(self.at("link")):
                        os.symlink(self.at("d"), self.at("link"))
                    before = self.tree("d")
                    for verb in (("mv", "-T"), ("cp", "-r", "-T"), ("sync",)):
                        self.fails(1, "is also a source", *verb, "-j1",
                                   source + self.at("d/e"), target + self.at(name))
                        self.assertEqual(self.tree("d"), before)

    def test_are_found_in_the_users_folder(self):
        self.add("a", b"1")
        os.makedirs(self.at(".config/fsload"))
        os.rename(self.at("schemes.toml"), self.at(".config/fsload/schemes.toml"))
        del self.variables["FSLOAD_SCHEMES"]
        self.assertEqual(self.succeeds("cat", "left://" + self.at("a")), "1")

    def test_take_schemes_in_any_case(self):
        self.add("a", b"1")
        self.assertEqual(self.succeeds("cat", "LEFT://" + self.at("a")), "1")

    def test_name_no_other_schemes_of_the_plugin(self):
        self.fails(1, "no plugin for memory:// is installed", "ls", "memory:///")

    def test_replace_a_scheme_only_if_told(self):
        for name in "s3", "az", "http":
            text = f'[{name}]\nscheme = "posix"\nplugin = "{plugin("posix")}"\n'
            self.write(text)
            self.fails(1, f"[{name}] would replace the scheme {name} of tensorflow-io",
                       "ls", f"{name}://" + self.folder)
            self.write(text + "override = true\n")
            self.assertIn("schemes.toml", self.succeeds("ls", f"{name}://" + self.folder))
        # So is a plugin that only this machine has.
        self.variables["FSLOAD_PLUGIN_PATH"] = plugin("memory")
        text = f'[memory]\nscheme = "posix"\nplugin = "{plugin("posix")}"\n'
        self.write(text)
        self.fails(1, "[memory] would replace the scheme memory of " + plugin("memory"),
                   "ls", "memory://" + self.folder)

    def test_say_what_is_wrong_with_them(self):
        # Exit code 4 would say that the file is not there.
        posix = f'[left]\nscheme = "posix"\nplugin = "{plugin("posix")}"\n'
        for code, text, words in [
                (1, "[left]", "schemes.toml: line 1: [left] scheme is missing"),
                (1, "[left", "schemes.toml: line 1, column 6: this is not TOML"),
                (1, f'[left]\nscheme = "s4"\nplugin = "{plugin("posix")}"',
                 "line 3: [left] plugin: "),
                (1, f'[left]\nscheme = "s4"\nplugin = "{plugin("posix")}"',
                 "has no scheme 's4', which 'left' is to be"),
                (1, '[left]\nscheme = "s4"', "line 2: [left] scheme: no plugin for s4://"),
                (1, '[left]\nscheme = "posix"\nplugin = "/nowhere.so"',
                 "line 3: [left] plugin: /nowhere.so"),
                (7, posix + "memory_limit = 1", "memory_limit allows the plugin's process 1 bytes of"),
                (1, posix + 'confined = true\nwritable_folders = ["/nowhere"]',
                 "line 5: [left] writable_folders: /nowhere: No such file or directory"),
                (1, posix + 'writable_folders = ["/tmp"]',
                 "line 4: [left] writable_folders needs confined = true"),
                (1, '[left]\nscheme = "right"\n[right]\nscheme = "s4"',
                 'line 2: [left] scheme: "right" is another entry of this file'),
                (1, posix + 'environment.A = { file = "/nowhere" }',
                 "line 4: [left] environment.A: /nowhere"),
                (1, posix + 'environment.A = { variable = "UNSET_" }',
                 "line 4: [left] environment.A: UNSET_ is not set")]:
            for verb in "ls", "exists":
                with self.subTest(text=text, verb=verb):
                    self.write(text)
                    self.fails(code, words, verb, "left://" + self.folder)

    def test_that_are_wrong_are_errors_of_all_schemes_that_are_not_loaded(self):
        self.write("[left]")
        for uri in "s3://b/x", "memory:///", "right:///":
            self.fails(1, "schemes.toml: line 1: [left] scheme is missing", "ls", uri)
        self.succeeds("ls", "--plugin", plugin("memory"), "memory:///")

    def test_do_not_concern_local_files(self):
        self.write("[left")
        self.assertIn("schemes.toml", self.succeeds("ls", self.folder))
        self.assertIn("schemes.toml", self.succeeds("ls", "posix://" + self.folder))

    def test_are_listed_by_doctor_without_secrets(self):
        self.add("secret", b"hidden2", mode=0o600)
        self.write(f"""
[left]
scheme = "posix"
plugin = "{plugin("posix")}"
environment = {{ A = "hidden1", B = {{ file = "{self.at("secret")}" }}, C = "", \
D = {{ variable = "HIDDEN" }} }}
[right]
scheme = "posix"
plugin = "{plugin("posix")}"
environment = {{ B = {{ file = "{self.at("none")}" }} }}
""")
        self.variables["HIDDEN"] = "hidden3"
        code, out, err = self.run_fsload("doctor", env={**self.variables, "COLUMNS": "9999"})
        self.assertEqual((code, err), (1, ""))
        self.assertIn(f"left           posix:// with A, B (from {self.at('secret')}), C (removed), "
                      f"D (from the variable HIDDEN); {plugin('posix')}\n", out)
        self.assertIn(f"problem  right          {self.at('schemes.toml')}: line 9: [right] "
                      f"environment.B: {self.at('none')}: cannot be read: No such file", out)
        self.assertNotIn("hidden", out)
        out = self.run_fsload("doctor", "--format=json")[1]
        self.assertNotIn("hidden", out)
        found = json.loads(out)
        self.assertEqual((found["uri"], found["well"], len(found["steps"])), (None, False, 2))
        out = self.succeeds("doctor", "left://" + self.folder)
        self.assertIn("No problems found.", out)
        self.assertNotIn("hidden", out)

    def test_doctor_names_a_plugin_that_is_not_there(self):
        self.write('[left]\nscheme = "memory"\nplugin = "/nowhere.so"')
        code, out, _ = self.run_fsload("doctor", "--format=json")
        step, = json.loads(out)["steps"]
        self.assertEqual((code, step["verdict"], step["found"]), (
            1, "problem", self.at("schemes.toml") +
            ": line 3: [left] plugin: /nowhere.so: cannot be read: No such file or directory"))

    def test_doctor_names_the_line_of_a_plugin_that_does_not_load(self):
        self.add("none.so", b"no ELF file")
        self.write(f'[left]\nscheme = "memory"\nplugin = "{self.at("none.so")}"')
        out = self.run_fsload("doctor", "left://x", "--format=json")[1]
        step, = [each for each in json.loads(out)["steps"] if each["what"] == "load"]
        self.assertIn(f"{self.at('schemes.toml')}: line 3: [left] plugin: ", step["found"])

    def test_doctor_refuses_a_plugin_for_another_processor(self):
        with open(plugin("posix"), "rb") as file:
            contents = bytearray(file.read())
        contents[18:20] = 43, 0  # SPARC
        self.add("foreign.so", bytes(contents))
        self.write(f'[left]\nscheme = "memory"\nplugin = "{self.at("foreign.so")}"')
        code, out, _ = self.run_fsload("doctor", "--format=json")
        step, = json.loads(out)["steps"]
        self.assertEqual((code, step["verdict"]), (1, "problem"))
        self.assertIn(f"{self.at('foreign.so')}: FSP007: it is for ", step["found"])

    def test_doctor_waits_no_longer_than_it_may(self):
        self.write(f'[left]\nscheme = "hostile"\nplugin = "{plugin("hostile_hangs_init")}"')
        code, out, _ = self.run_fsload("doctor", "--timeout", "1", "--format=json")
        step, = json.loads(out)["steps"]
        self.assertEqual((code, step["verdict"]), (1, "problem"))
        self.assertIn("no answer within 1s", step["found"])

    def test_doctor_says_that_there_are_none(self):
        self.write("")
        self.assertIn("note     schemes        none in " + self.at("schemes.toml"),
                      self.succeeds("doctor", env={**self.variables, "COLUMNS": "9999"}))

    def test_are_recorded_without_secrets(self):
        self.add("a", b"1")
        self.write(TWO.format(posix=plugin("posix"), memory=plugin("memory")).format("hidden"))
        self.succeeds("cat", "--record", self.at("journal"), "left://" + self.at("a"))
        self.assertNotIn(b"hidden", self.read("journal"))
        self.assertEqual(self.succeeds("replay", self.at("journal"), "cat",
                                       "left://" + self.at("a")), "1")


if __name__ == "__main__":
    unittest.main(argv=["aliases_test"])
