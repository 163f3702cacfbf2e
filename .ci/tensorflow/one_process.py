"""The same in Python: `import tensorflow`, and fsload as a C library.

    one_process.py LIBRARY ORDER PLUGIN URI PATH
"""
import ctypes
import importlib
import sys

LIBRARY, ORDER, PLUGIN, URI, PATH = sys.argv[1:]


def use_fsload():
    print("load:", say("Load", PLUGIN))
    print("write:", say("Write", URI, "by fsload"))
    print("read:", say("Read", URI))


def use_tensorflow():
    gfile = importlib.import_module("tensorflow").io.gfile.GFile
    with gfile(PATH, "w") as file:
        file.write("by TensorFlow")
    with gfile(PATH, "r") as file:
        print("tensorflow: OK", file.read())


def say(function, *arguments):
    call = getattr(fsload, "Fsload" + function)
    call.restype = ctypes.c_char_p
    return call(*(each.encode() for each in arguments)).decode()


if ORDER == "tensorflow-first":
    use_tensorflow()
fsload = ctypes.CDLL(LIBRARY)
use_fsload()
use_tensorflow()
print("again:", say("Read", URI))
print("end:", say("End"))
