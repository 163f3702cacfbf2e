#!/usr/bin/python3
"""Runs fsload doctor. The argument is the command's path; plugins are in testdata/."""

import json
import os
import shutil
import sys
import unittest

from command import CommandTest, run

GS_VARIABLES = ["GCS_READ_CACHE_BLOCK_SIZE_MB", "GCS_READ_CACHE_MAX_SIZE_MB",
                "GCS_READ_CACHE_MAX_STALENESS", "GCS_STAT_CACHE_MAX_AGE",
                "GCS_STAT_CACHE_MAX_ENTRIES"]


class Doctor(CommandTest):
    def doctor(self, *arguments, **variables):
        """(exit code, standard output, standard error), independent of the machine."""
        environment = {"XDG_CACHE_HOME": os.path.join(self.folder, "cache"),
                       "HOME": os.path.join(self.folder, "home"), "PATH": "/nowhere",
                       "FSLOAD_PLUGIN_PATH": os.path.join(self.folder, "plugins"), **variables}
        os.makedirs(os.path.join(self.folder, "plugins"), exist_ok=True)
        return run("doctor", *arguments, env=environment)

    def put(self, plugin, name):
        """Puts testdata/PLUGIN into FSLOAD_PLUGIN_PATH under that name."""
        path = os.path.join(self.folder, "plugins", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(os.path.join("testdata", plugin), path)
        return path

    def problems(self, *arguments, **variables):
        """The problems found, as (what, found, repair)."""
        code, out, err = self.doctor("--format=json", *arguments, **variables)
        self.assertEqual(err, "")
        document = json.loads(out)
        self.assertEqual(document["schema_version"], 1)
        problems = [(step["what"], step["found"], step["repair"])
                    for step in document["steps"] if step["verdict"] == "problem"]
        self.assertEqual(document["well"], not problems)
        self.assertEqual(code, 1 if problems else 0)
        return problems

    def test_finds_nothing_wrong_with_what_works(self):
        path = os.path.join(self.folder, "file")
        with open(path, "wb") as file:
            file.write(b"contents")
        self.assertEqual(self.doctor(path), (0, f"""\
{path}
  ok       plugin         the bundled posix plugin
  ok       load           done
  ok       scheme         registered
  ok       path_exists    it exists
  ok       stat           a file of 8 bytes
  ok       read           its first 8 bytes
No problems found.
""", ""))

    def test_finds_the_plugin_for_a_scheme(self):
        path = self.put("memory.so", "m.so")
        code, out, err = self.doctor("memory:///")
        self.assertEqual((code, err), (0, ""))
        self.assertIn(f"\n  ok       plugin         m, {path} (FSLOAD_PLUGIN_PATH)\n", out)
        self.assertIn("\n  ok       get_children   0 names\n", out)

    def test_takes_schemes_in_any_case(self):
        self.put("memory.so", "m.so")
        self.assertEqual(self.doctor("Memory:///"), self.doctor("memory:///"))

    def test_takes_uris_as_the_verbs_do(self):
        path = os.path.join(self.folder, "a b")
        with open(path, "wb"):
            pass
        self.assertEqual(self.problems("file://" + path.replace(" ", "%20")), [])
        shutil.copy(os.path.join("testdata", "broken_wrong_abi.so"), self.folder)
        self.assertEqual(self.problems(f"file://{self.folder}/broken_wrong_abi.so"), [])
        [(what, found, _)] = self.problems("file://elsewhere/a")
        self.assertEqual(what, "uri")
        self.assertIn("elsewhere", found)
        [(what, found, _)] = self.problems(path + "/")
        self.assertEqual(what, "uri")
        self.assertIn("is a file, not a directory", found)
        self.put("memory.so", "m.so")
        self.assertIn("pattern", self.doctor("memory:///*")[1])
        self.assertNotIn("pattern", self.doctor("memory:///a")[1])

    def test_takes_the_plugin_that_is_named(self):
        for plugin in "testdata/memory.so", "testdata":
            code, out, err = self.doctor("--plugin", plugin, "memory:///")
            self.assertEqual(err, "")
            self.assertIn("\n  ok       get_children   0 names\n", out)
            self.assertEqual(code, 0)

    def test_says_what_to_install(self):
        (what, found, repair), *variables = self.problems("gs://bucket/key")
        self.assertEqual((what, found), ("plugin", "no plugin for gs:// is installed"))
        self.assertEqual(repair, "pip install tensorflow-io-gcs-filesystem==0.37.1, or name its wheel "
                                 "with --plugin or in FSLOAD_PLUGIN_PATH")
        self.assertEqual([found.split()[0] for _, found, _ in variables], GS_VARIABLES)

    def test_variables_that_are_set_are_no_problem(self):
        problems = self.problems("gs://bucket/key", **{name: "1" for name in GS_VARIABLES})
        self.assertEqual([what for what, _, _ in problems], ["plugin"])

    def test_a_plugin_gets_the_variables_of_other_tools(self):
        path = self.put("renaming.so", "libtensorflow_io_plugins.so")
        code, out, err = self.doctor(path, TF_USE_MODULAR_FILESYSTEM="1",
                                     AWS_DEFAULT_REGION="eu-west-1")
        self.assertEqual((code, err), (0, ""))
        self.assertIn(" variables that the s3 plugin reads are set\n", out)
        self.assertNotIn("AWS_REGION", out)

    def test_does_not_know_the_variables_of_other_plugins(self):
        path = self.put("renaming.so", "p.so")
        for words in [path], ["s3:///"]:
            code, out, err = self.doctor(*words, TF_USE_MODULAR_FILESYSTEM="1",
                                         S3_ENDPOINT="minio:9000")
            self.assertEqual((code, err), (0, ""), out)
            self.assertNotIn("variable", out)

    def test_diagnoses_the_bundled_plugin_by_its_name(self):
        code, out, err = self.doctor("posix")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\n  ok       load           done: posix://, local paths\n", out)

    def test_advises_to_check_the_path_of_a_local_file(self):
        for missing in "/nope", "posix:///nope":
            (_, _, repair), *_ = self.problems(missing)
            self.assertEqual(repair, "check the path")

    def test_says_that_nobody_is_known(self):
        self.assertEqual(self.problems("nosuch://x"), [
            ("plugin", "no plugin for nosuch:// is installed",
             "name one with --plugin or in FSLOAD_PLUGIN_PATH; no known package provides one")])

    def test_names_a_missing_library(self):
        self.put("linking/missing_library.so", "libtensorflow_io_plugins.so")
        (what, found, repair), = self.problems("s3://bucket/key")
        self.assertEqual(what, "plugin")
        self.assertIn("1 library that the plugin needs is missing: "
                      "'libfsload_test_neighbour.so'", found)
        self.assertTrue(repair)

    def test_names_a_missing_symbol(self):
        self.put("linking/missing_data.so", "libtensorflow_io_plugins.so")
        (what, found, _), *_ = self.problems("s3://bucket/key")
        self.assertEqual(what, "plugin")
        self.assertIn("tsl::fsload_test_missing", found)

    def test_names_the_missing_function_that_an_operation_called(self):
        self.put("linking/missing_in_op.so", "m.so")
        (what, found, repair), = self.problems("missinginop://x")
        self.assertEqual(what, "symbol")
        self.assertIn("tsl::FsloadTestMissing", found)
        self.assertTrue(repair)

    def test_names_the_broken_rule_of_a_plugin(self):
        path = self.put("broken_wrong_abi.so", "b.so")
        (what, found, repair), = self.problems("broken://x")
        self.assertEqual((what, repair), ("plugin", f"run `fsload check {path}` for details"))
        self.assertIn("FSP115", found)

    def test_names_the_missing_library_of_hadoop(self):
        path = self.put("memory.so", "m.so")
        problems = self.problems("--plugin", path, "hdfs://host/")
        self.assertEqual([what for what, _, _ in problems], ["libhdfs.so", "scheme"])
        self.assertIn("cannot open shared object file", problems[0][1])
        self.assertIn("HADOOP_HDFS_HOME", problems[0][2])

    def test_says_what_a_plugin_that_crashes_was_doing(self):
        self.put("hostile_crashes_children.so", "h.so")
        (what, found, repair), = self.problems("hostile://x/deed")
        self.assertEqual(what, "crash")
        self.assertRegex(found, r"^get_children crashed with SIGSEGV \(segmentation fault\) at "
                                r"address 0x8, "
                                r"in hostile::Crash\(\)\+0x[0-9a-f]+ of ")
        self.assertTrue(repair)

    def test_ends_a_plugin_that_hangs(self):
        self.put("hostile_hangs_children.so", "h.so")
        (what, found, _), = self.problems("--timeout", "2", "hostile://x/deed")
        self.assertEqual((what, found),
                         ("hang", "get_children did not return within 2s, so its process was "
                                  "killed"))

    def test_says_that_a_plugin_ends_its_process(self):
        self.put("hostile_exits_children.so", "h.so")
        (what, found, _), = self.problems("hostile://x/deed")
        self.assertEqual((what, found), ("crash", "get_children ended the process with exit code 0"))

    def test_tells_the_answer_and_what_it_may_come_from(self):
        code, out, err = self.doctor("/no/such")
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(out, r"\n  problem  path_exists    NOT_FOUND: .*No such file or directory \(path_exists\)\n"
                              r" +-> check the path\n1 problem found\.\n$")

    def test_explains_a_path_below_a_file(self):
        path = os.path.join(self.folder, "file")
        with open(path, "wb"):
            pass
        (what, found, repair), = self.problems(path + "/x")
        self.assertEqual((what, repair),
                         ("path_exists", "check the path: a component of it is a file"))
        self.assertIn("Not a directory", found)

    def test_says_how_to_learn_more_of_a_plugin_that_is_named(self):
        (what, _, repair), = self.problems("--plugin", "testdata/broken_wrong_abi.so", "broken://x")
        self.assertEqual((what, repair),
                         ("load", "run `fsload check testdata/broken_wrong_abi.so` for details"))
        (what, _, repair), = self.problems("--plugin", "testdata/memory.so", "other://x")
        self.assertEqual((what, repair),
                         ("scheme", "name a plugin that provides other:// with --plugin"))

    def packages(self, *installed):
        """A folder of Python packages with a TensorFlow, whose library has TF_SetStatus alone,
        and with what pip recorded: {folder: METADATA}."""
        folder = os.path.join(self.folder, "packages")
        for name, metadata in [("tensorflow_cpu-2.21.0", ""), *installed]:
            os.makedirs(os.path.join(folder, name + ".dist-info"))
            with open(os.path.join(folder, name + ".dist-info/METADATA"), "w",
                      encoding="utf-8") as file:
                file.write(metadata)
        os.mkdir(os.path.join(folder, "tensorflow"))
        shutil.copy("testdata/linking/libtensorflow_framework.so.2",
                    os.path.join(folder, "tensorflow"))
        return folder

    def tensorflow(self, *arguments, **variables):
        """The steps on TensorFlow."""
        _, out, err = self.doctor("--format=json", *arguments, **variables)
        self.assertEqual(err, "")
        return [step for step in json.loads(out)["steps"] if step["what"] == "tensorflow"]

    def test_says_that_tensorflow_can_load_the_plugin(self):
        packages = self.packages()
        self.assertEqual(self.tensorflow("testdata/linking/named.so", PYTHONPATH=packages), [
            {"verdict": "ok", "what": "tensorflow", "repair": None,
             "found": f"tensorflow-cpu 2.21.0 ({packages}/tensorflow) has all functions that the "
                      "plugin calls"}])

    def test_says_why_tensorflow_cannot_load_the_plugin(self):
        packages = self.packages(
            ("tensorflow_io-0.37.1", "Requires-Dist: tensorflow <2.17.0,>=2.16.0\n"))
        plugin = os.path.join(packages, "tensorflow_io/python/ops/libtensorflow_io_plugins.so")
        os.makedirs(os.path.dirname(plugin))
        shutil.copy("testdata/linking/missing_in_op.so", plugin)
        lacks, pinned = self.tensorflow(plugin, PYTHONPATH=packages)
        name, = lacks["names"]
        self.assertRegex(name, r"^tsl::FsloadTestMissing\(")
        self.assertEqual((lacks["verdict"], lacks["found"]), (
            "note", f"tensorflow-cpu 2.21.0 ({packages}/tensorflow) cannot load the plugin, which "
                    f"needs what is not there: '{name}'"))
        self.assertIn("or install tensorflow<2.17.0,>=2.16.0", lacks["repair"])
        self.assertEqual((pinned["verdict"], pinned["found"]), (
            "note", "tensorflow-io 0.37.1 asks for tensorflow<2.17.0,>=2.16.0; 2.21.0 is "
                    "installed"))

    def test_says_it_of_the_plugin_for_a_uri_too(self):
        self.put("linking/missing_in_op.so", "m.so")
        step, = self.tensorflow("missinginop.other://x", PYTHONPATH=self.packages())
        self.assertEqual(step["verdict"], "note")

    def test_says_nothing_of_tensorflow_where_there_is_none(self):
        self.assertEqual(self.tensorflow("testdata/linking/named.so", PYTHONPATH=self.folder), [])

    def test_examines_a_plugin_that_is_named_instead_of_a_uri(self):
        self.assertEqual(self.doctor("testdata/memory.so"), (0, """\
testdata/memory.so
  ok       plugin         testdata/memory.so
  ok       load           done: memory://
No problems found.
""", ""))
        path = self.put("memory.so", "m.so")
        self.assertEqual(self.doctor("m")[1], f"""\
m
  ok       plugin         {path}
  ok       load           done: memory://
No problems found.
""")

    def test_says_what_is_wrong_with_a_plugin(self):
        (what, found, repair), = self.problems("testdata/broken_wrong_abi.so")
        self.assertEqual((what, repair),
                         ("load", "run `fsload check testdata/broken_wrong_abi.so` for details"))
        self.assertIn("FSP115", found)

    def test_examines_a_shared_object_as_a_file_if_asked_to(self):
        code, out, _ = self.doctor("--plugin", "posix", "testdata/memory.so")
        self.assertEqual(code, 0)
        self.assertIn("\n  ok       path_exists    it exists\n", out)

    def test_is_wrong_with_a_plugin_and_no_uri_or_with_no_time(self):
        self.assertEqual(self.doctor("--plugin", "posix")[0], 2)
        self.assertEqual(self.doctor("--timeout", "0", "/")[0], 2)
        self.assertEqual(self.doctor("--timeout", "nan", "/")[0], 2)
        self.assertEqual(self.doctor("")[0], 2)

    def test_an_unknown_name_is_a_problem(self):
        (what, found, repair), = self.problems("--plugin", "nosuch", "s3://x/")
        self.assertEqual(what, "plugin")
        self.assertEqual(found, "nosuch: no installed plugin has this name; `fsload plugins` lists "
                                "them")
        self.assertEqual(repair, "name an installed plugin, or the plugin's file")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
