"""Loading, checking, finding and retiring plugins; forks and the end of the process. What
concerns a whole process happens in one of its own."""
import os
import subprocess
import sys
import textwrap

import fsspec
import pytest

import fsload

MEMORY = os.environ["FSLOAD_MEMORY_PLUGIN"]


def python(script, *arguments, **environment):
    """What a new interpreter prints, which must succeed and write nothing to stderr."""
    ended = subprocess.run([sys.executable, "-W", "always", "-c", textwrap.dedent(script),
                            *arguments], env={**os.environ, **environment}, text=True,
                           capture_output=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    return ended.stdout


def test_isolated_plugin_has_other_names():
    report = fsload.load(MEMORY, isolation=fsload.Isolation(
        call_timeout=10, environment={"HOME": None, "FSLOAD_TEST_SETTING": "a"}),
        scheme_as={"memory": "other"})
    assert [scheme.name for scheme in report.schemes if scheme.registered] == ["other"]
    fsload.write_bytes("other:///f", b"x")
    assert fsload.read_bytes("other:///f") == b"x"
    fsload.retire("other")


def test_isolated_plugin_is_confined(tmp_path):
    isolation = fsload.Isolation(confined=True, writable_folders=[tmp_path],
                                 environment={"FSLOAD_TEST_SETTING": "a"})
    fsload.load(MEMORY, isolation=isolation, scheme_as={"memory": "confined"})
    fsload.write_bytes("confined:///f", b"x")
    assert fsload.read_bytes("confined:///f") == b"x"
    fsload.retire("confined")
    nowhere = fsload.Isolation(confined=True, writable_folders=[tmp_path / "none"])
    with pytest.raises(fsload.errors.FailedPreconditionError,
                       match="cannot be allowed to write there"):
        fsload.load(MEMORY, isolation=nowhere, scheme_as={"memory": "confined"})


def test_isolated_plugin_has_no_more_memory_than_allowed():
    with pytest.raises(fsload.Error, match="memory_limit allows the plugin's process 1048576 "):
        fsload.load(MEMORY, isolation=fsload.Isolation(memory_limit=1 << 20))


@pytest.mark.parametrize("restarts, found", [(0, "UNAVAILABLE"), (1, "False")])
def test_isolated_plugin_is_started_again_as_often_as_allowed(restarts, found):
    assert python("""
        import fsload, glob, os, signal, sys
        fsload.load(sys.argv[1], isolation=fsload.Isolation(restarts=int(sys.argv[2])))
        for listed in glob.glob("/proc/self/task/*/children"):
            with open(listed, encoding="ascii") as file:
                for worker in file.read().split():
                    os.kill(int(worker), signal.SIGKILL)
        for _ in range(2):  # the first call may come before the end is noticed
            try:
                found = fsload.exists("memory:///a")
            except ConnectionError as error:
                found = error.code
        print(found)
        """, MEMORY, str(restarts)) == found + "\n"


def test_a_file_names_schemes(tmp_path):
    schemes = tmp_path / "schemes.toml"
    schemes.write_text(f"""
        [left]
        scheme = "memory"
        plugin = "{MEMORY}"
        [right]
        scheme = "memory"
        plugin = "{MEMORY}"
    """)
    printed = python("""
        import fsload, fsspec
        fsload.write_bytes("left:///f", b"1")
        with fsspec.open("fsload://right:///g", "wb") as file:
            file.write(b"2")
        fsload.copy("left:///f", "right:///f")
        print([[entry.path for entry in fsload.list(f"{name}:///")] for name in ("left", "right")])
        print("memory" in fsload.schemes())
    """, FSLOAD_SCHEMES=str(schemes))
    assert printed == "[['f'], ['f', 'g']]\nFalse\n"


def test_options_of_fsspec_hold_for_a_name_in_a_file(tmp_path):
    schemes = tmp_path / "schemes.toml"
    schemes.write_text(f"""
        [left]
        scheme = "memory"
        plugin = "{MEMORY}"
    """)
    printed = python("""
        import fsload, fsspec
        fs = fsspec.filesystem("fsload", timeout=60)
        fs.pipe("left:///f", b"1")
        print(fs.ls("left:///", detail=False), fs.isfile("left:///f"), fs.isfile("left:///g"))
        print(sorted(name for name in fsload.schemes() if name))
    """, FSLOAD_SCHEMES=str(schemes))
    assert printed == "['left:///f'] True False\n['left.isolated1']\n"


def test_two_stores_of_one_scheme_are_used_in_one_session(tmp_path):
    schemes = tmp_path / "schemes.toml"
    schemes.write_text(f"""
        [second]
        scheme = "s3"
        [second.environment]
        S3_ENDPOINT = "{os.environ["SECOND_S3_ENDPOINT"]}"
    """)
    printed = python("""
        import fsload, fsspec
        first, second = fsspec.filesystem("fsload+s3"), fsspec.filesystem("fsload")
        first.pipe("bucket/two/a", b"1")
        second.pipe("second://bucket/two/b", b"2" * 3_000_000)
        with fsspec.open("fsload://second://bucket/two/c", "wb") as file:
            file.write(b"3")
        print(first.ls("bucket/two", detail=False))
        print(second.ls("second://bucket/two", detail=False))
        fsload.copy("second://bucket/two/b", "s3://bucket/two/b")
        print(first.cat("bucket/two/b") == b"2" * 3_000_000, first.exists("bucket/two/c"))
        first.rm("bucket/two", recursive=True)
        print(second.cat("second://bucket/two/c"), first.exists("bucket/two/b"))
    """, FSLOAD_SCHEMES=str(schemes))
    assert printed == ("['bucket/two/a']\n"
                       "['second://bucket/two/b', 'second://bucket/two/c']\n"
                       "True False\nb'3' False\n")


def test_file_systems_of_fsspec_are_isolated():
    printed = python("""
        import pickle, fsload, fsspec
        here, one, same, two = (fsspec.filesystem("fsload", **options) for options in (
            {}, {"environment": {"A": "1"}}, {"environment": {"A": "1"}, "timeout": None},
            {"isolate": True, "timeout": 60}))
        here.pipe("memory:///here", b"0")
        one.pipe("memory:///one", b"1")
        two.pipe("memory:///two", b"2")
        for fs in here, one, same, two, pickle.loads(pickle.dumps(one)):
            print(fs.ls("memory:///", detail=False))
        print(one.cat("memory:///one"), sorted(name for name in fsload.schemes() if name))
        try:
            one.cat("memory:///none")
        except FileNotFoundError as error:
            print("memory.isolated1:///none" in str(error))
    """)
    assert printed == (
        "['memory:///here']\n['memory:///one']\n['memory:///one']\n['memory:///two']\n"
        "['memory:///one']\n"
        "b'1' ['memory', 'memory.isolated1', 'memory.isolated2']\nTrue\n")


@pytest.mark.parametrize("option", [{"isolate": True}, {"timeout": 5}, {"environment": {}}])
def test_file_systems_of_local_files_are_never_isolated(option):
    with pytest.raises(ValueError, match="local files are never isolated"):
        fsspec.filesystem("fsload+posix", **option)
    assert fsspec.filesystem("fsload+posix", isolate=False, timeout=None).isdir("/")


def test_a_wrong_file_of_schemes_is_an_error(tmp_path):
    schemes = tmp_path / "schemes.toml"
    schemes.write_text("[left]\n")
    printed = python("""
        import fsload
        try:
            fsload.exists("left:///f")
        except ValueError as error:
            print(error)
    """, FSLOAD_SCHEMES=str(schemes))
    assert f"{schemes}: line 1: [left] scheme is missing" in printed


def test_check_reports_a_right_plugin():
    report = fsload.check(MEMORY)
    assert (report.plugin, report.verdict, report.code) == (MEMORY, "verified", "OK")
    assert report.verified and report.findings == []
    assert [scheme.name for scheme in report.schemes] == ["memory"]
    assert "filesystem.stat" in report.schemes[0].own
    report.raise_if_refused()


def test_check_reports_what_is_wrong(tmp_path):
    file = tmp_path / "no.so"
    file.write_bytes(b"no plugin at all")
    report = fsload.check(file)
    assert not report.verified
    assert report.findings[0].rule == "FSP004" and report.findings[0].severity == "must"
    assert report.findings[0].message and report.findings[0].repair
    with pytest.raises(fsload.Error, match="no.so"):
        report.raise_if_refused()


def test_check_survives_a_plugin_that_aborts(tmp_path):
    (tmp_path / "abort.c").write_text("""
        #include <stdlib.h>
        void TF_InitPlugin(void* info) { abort(); }
    """)
    plugin = str(tmp_path / "abort.so")
    subprocess.run(["gcc", "-shared", "-fPIC", str(tmp_path / "abort.c"), "-o", plugin], check=True)
    os.chmod(plugin, 0o755)
    report = fsload.check(plugin)
    assert "SIGABRT" in report.message and not report.verified
    assert fsload.check(plugin, only_static=True).verified


def test_check_of_a_folder_with_many_says_so(tmp_path):
    with pytest.raises(fsload.Error, match="is not one plugin"):
        fsload.check(os.path.dirname(MEMORY))


def test_load_registers_schemes():
    assert python("""
        import fsload, sys
        report = fsload.load(sys.argv[1])
        print(report.verdict, [(one.name, one.registered) for one in report.schemes])
        print(fsload.schemes())
        fsload.write_bytes("memory://host/a", b"hello")
        print(fsload.read_bytes("memory://host/a"))
        """, MEMORY) == "verified [('memory', True)]\n['memory']\nb'hello'\n"


def test_load_raises_with_the_report(tmp_path):
    file = tmp_path / "no.so"
    file.write_bytes(b"no plugin at all")
    file.chmod(0o755)
    with pytest.raises(fsload.Error, match="no.so") as raised:
        fsload.load(file)
    assert raised.value.report.findings[0].rule == "FSP004"


def test_load_keeps_to_the_allow_list(tmp_path):
    (tmp_path / "sums").write_text("0" * 64 + "  other.so\n")
    (tmp_path / "sums").chmod(0o600)
    with pytest.raises(PermissionError):
        fsload.load(MEMORY, allow_list=tmp_path / "sums")


def test_find_finds_by_scheme():
    assert python("""
        import fsload
        fsload.find("memory://")
        print(fsload.schemes())
        """) == "['memory']\n"


def test_find_says_what_to_install(tmp_path):
    with pytest.raises(FileNotFoundError, match="no plugin for hdfs:// .*pip install") as raised:
        subprocess_find("hdfs://host/a", FSLOAD_PLUGIN_PATH=str(tmp_path))
    assert raised.value.code == "NOT_FOUND"


def subprocess_find(uri, **environment):
    """Raises what finding the scheme raises in a new process."""
    import ast
    code, message, filename = ast.literal_eval(python("""
        import fsload, sys
        try:
            fsload.find(sys.argv[1])
        except fsload.Error as error:
            print((error.code, str(error), error.filename))
        """, uri, **environment))
    raise fsload.errors.error_of(code, message, filename)


def test_a_process_with_threads_finds_untried_plugins(tmp_path):
    assert python("""
        import threading
        ended = threading.Event()
        threading.Thread(target=ended.wait).start()
        import fsload
        try:
            print(fsload.exists("memory://host/a"))
        finally:
            ended.set()
        """, XDG_CACHE_HOME=str(tmp_path / "cache")) == "False\n"


def test_threads_find_a_scheme_at_once():
    assert python("""
        import concurrent.futures, fsload
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            print(set(pool.map(fsload.exists, [f"posix:///nowhere/{n}" for n in range(50)])))
        """) == "{False}\n"


def test_a_retired_scheme_is_found_again():
    assert python("""
        import fsload
        fsload.write_bytes("memory://host/a", b"x")
        fsload.retire("memory")
        print(fsload.schemes())
        print(fsload.exists("memory://host/a"), fsload.schemes())
        """) == "[]\nFalse ['memory']\n"


def test_retiring_waits_for_open_files():
    assert python("""
        import fsload
        fsload.write_bytes("memory://host/a", b"x")
        file = fsload.open("memory://host/a", "rb")
        try:
            fsload.retire("memory", seconds=0.2)
        except TimeoutError as error:
            print("timeout", file.read())
        """) == "timeout b'x'\n"


@pytest.mark.parametrize("scheme", ["s3", "gs"])
def test_python_ends_quietly_with_open_files(scheme):
    """Real plugins abort in static destructors unless they are cleaned up."""
    assert python("""
        import fsload, sys, warnings
        warnings.simplefilter("ignore", ResourceWarning)
        uri = sys.argv[1] + "://bucket/left-open"
        fsload.write_bytes(uri, b"x" * 100)
        reader = fsload.open(uri, "rb")
        writer = fsload.open(uri + "-too", "wb")
        writer.write(b"x")
        print(reader.read(1))
        """, scheme) == "b'x'\n"
    assert not fsload.exists(f"{scheme}://bucket/left-open-too")


def test_a_child_uses_local_files():
    assert python("""
        import fsload, os, sys
        fsload.write_bytes(sys.argv[1], b"x")
        if os.fork() == 0:
            print(fsload.read_bytes(sys.argv[1]), flush=True)
            os._exit(0)
        print(os.wait()[1])
        """, os.path.join(os.environ["TMPDIR"], "for-a-child")) == "b'x'\n0\n"


def test_a_child_is_warned_of_plugins_with_connections():
    assert python("""
        import fsload, os, warnings
        fsload.exists("s3://bucket/a")
        if os.fork() == 0:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                fsload.find("s3://bucket")
                fsload.find("s3://bucket")
            print([(one.category.__name__, str(one.message)[:45]) for one in caught], flush=True)
            os._exit(0)
        print(os.wait()[1])
        """) == ("[('RuntimeWarning', 's3://: its plugin was loaded before os.fork()')]\n0\n")


def test_a_child_is_not_warned_of_isolated_plugins():
    assert python("""
        import fsload, fsspec, os, sys, warnings
        fs = fsspec.filesystem("fsload", isolate=True)
        fsload.load(sys.argv[1], isolation=fsload.Isolation(), scheme_as={"memory": "other"})
        print(fs.exists("memory:///a"), fsload.exists("other:///a"), flush=True)
        if os.fork() == 0:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                fs.pipe("memory:///a", b"x")
                fsload.write_bytes("other:///a", b"x")
            print([str(one.message) for one in caught], flush=True)
            os._exit(0)
        print(os.wait()[1], fs.exists("memory:///a"), fsload.exists("other:///a"))
        """, MEMORY) == "False False\n[]\n0 False False\n"


def test_a_child_is_warned_of_a_plugin_that_was_isolated_before():
    assert python("""
        import fsload, os, sys, warnings
        fsload.load(sys.argv[1], isolation=fsload.Isolation())
        fsload.retire("memory")
        fsload.find("memory:///")
        if os.fork() == 0:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                fsload.find("memory:///")
            print(len(caught), flush=True)
            os._exit(0)
        print(os.wait()[1])
        """, MEMORY) == "1\n0\n"


def test_a_child_may_find_what_the_parent_has_not():
    assert python("""
        import fsload, os
        fsload.find("posix:///")
        if os.fork() == 0:
            fsload.write_bytes("s3://bucket/from-a-child", b"x")
            print(fsload.read_bytes("s3://bucket/from-a-child"), flush=True)
            fsload.retire_all()
            os._exit(0)
        print(os.wait()[1])
        """) == "b'x'\n0\n"


def test_the_command_is_on_the_path():
    text = subprocess.run(["fsload", "--version"], check=True, capture_output=True, text=True,
                          timeout=60).stdout
    assert text.startswith(f"fsload {fsload.__version__}\n")
    assert text == subprocess.run([sys.executable, "-m", "fsload", "--version"], check=True,
                                  capture_output=True, text=True, timeout=60).stdout
