"""The same in Python: `import tensorflow`, and fsload's C API.

    one_process.py LIBRARY ORDER PLUGIN URI PATH
"""
import ctypes
import importlib
import json
import sys

LIBRARY, ORDER, PLUGIN, URI, PATH = sys.argv[1:]


class LoadOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("allow_list", ctypes.c_char_p),
                ("observer", ctypes.c_void_p)] + [(name, ctypes.c_int) for name in (
                    "partial", "in_place", "warnings_as_errors", "stub_missing_functions",
                    "keep_environment", "allow_damaging_operations")]


def say(what, function, *arguments, text=lambda: ""):
    """Calls a function, and prints its result as one_process.cc does."""
    code = getattr(fsload, function)(*arguments, ctypes.byref(error))
    said = text() if code == 0 else fsload.fsload_error_message(error).decode()
    print(what + ":", "OK" if code == 0 else code, said)


def load():
    options = LoadOptions(struct_size=ctypes.sizeof(LoadOptions), stub_missing_functions=1)
    report = ctypes.c_void_p()

    def text():
        found = json.loads(fsload.fsload_report_json(report))
        return " ".join([found["status_provider"], str(len(found["stubs"]))] +
                        [each["scheme"] for each in found["schemes"] if each["registered"]])

    say("load", "fsload_load", None, PLUGIN.encode(), ctypes.byref(options), ctypes.byref(report),
        text=text)


def write():
    writer = ctypes.c_void_p()
    fsload.fsload_open_writer(None, URI.encode(), ctypes.byref(writer), None)
    fsload.fsload_append(writer, b"by fsload", ctypes.c_size_t(9), None)
    say("write", "fsload_close", writer)
    fsload.fsload_writer_free(writer)


def read(what):
    reader, buffer, count = ctypes.c_void_p(), ctypes.create_string_buffer(1000), ctypes.c_size_t()
    fsload.fsload_open_reader(None, URI.encode(), ctypes.byref(reader), None)
    say(what, "fsload_read", reader, ctypes.c_uint64(0), buffer, ctypes.c_size_t(1000),
        ctypes.byref(count), text=lambda: buffer.raw[:count.value].decode())
    fsload.fsload_reader_free(reader)


def use_tensorflow():
    gfile = importlib.import_module("tensorflow").io.gfile.GFile
    with gfile(PATH, "w") as file:
        file.write("by TensorFlow")
    with gfile(PATH, "r") as file:
        print("tensorflow: OK", file.read())


if ORDER == "tensorflow-first":
    use_tensorflow()
fsload = ctypes.CDLL(LIBRARY)
for name in "fsload_report_json", "fsload_error_message":
    getattr(fsload, name).restype = ctypes.c_char_p
error = ctypes.c_void_p()
load()
write()
read("read")
use_tensorflow()
read("again")
say("end", "fsload_retire_all", None, ctypes.c_double(30))
