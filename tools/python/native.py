"""Builds fsload._native, which calls libfsload through its C API.

The declarations are those of the installed headers: the folder that FSLOAD_PREFIX names
has them in include/ and the library in lib/.
"""
import os
import subprocess
import tempfile

import cffi

PREFIX = os.environ["FSLOAD_PREFIX"]
INCLUDE = os.path.join(PREFIX, "include")

# What the library calls back. (docs/c-api.md, "From other languages")
CALLBACKS = """
extern "Python" int fsload_python_after_block(void* data, int64_t bytes);
"""

# Converting what is passed takes about as long as reading a few KiB, so this passes less.
HELPERS = """
int64_t fsload_python_read(const fsload_reader* reader, uint64_t offset, char* buffer,
                           size_t size);
fsload_error* fsload_python_read_error(void);
void fsload_python_skip_destructors(void);
"""
SOURCE = """
#define _DEFAULT_SOURCE
#include <fsload/fsload.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local fsload_error* read_error;

/* How many bytes there were; or minus the code of an error, of which
   fsload_python_read_error() then yields the rest, once. */
static int64_t fsload_python_read(const fsload_reader* reader, uint64_t offset, char* buffer,
                                  size_t size) {
  size_t count = 0;
  fsload_code code = fsload_read(reader, offset, buffer, size, &count, &read_error);
  return code == FSLOAD_OK ? (int64_t)count : -(int64_t)code;
}

static fsload_error* fsload_python_read_error(void) {
  fsload_error* error = read_error;
  read_error = NULL;
  return error;
}

static void leave(int status, void* unused) {
  (void)unused;
  fflush(NULL);
  _exit(status);
}

/* Ends the process without the destructors of plugins that are still in use,
   which would abort it. */
static void fsload_python_skip_destructors(void) { on_exit(leave, NULL); }
"""


def declarations():
    """What the compiler sees of fsload/fsload.h, without the system's headers: cffi knows
    their types."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("stddef.h", "stdint.h"):
            with open(os.path.join(folder, name), "w", encoding="utf-8"):
                pass
        return subprocess.run(
            ["gcc", "-E", "-P", "-x", "c", "-std=c11", "-nostdinc", "-I", folder, "-I", INCLUDE,
             "-DFSLOAD_EXPORT_H_", "-DFSLOAD_API=", os.path.join(INCLUDE, "fsload/fsload.h")],
            check=True, stdout=subprocess.PIPE, text=True).stdout


ffi = cffi.FFI()
ffi.cdef(declarations() + CALLBACKS + HELPERS)
ffi.set_source(
    "fsload._native",
    SOURCE,
    include_dirs=[INCLUDE],
    library_dirs=[os.path.join(PREFIX, "lib")],
    libraries=["fsload"],
    extra_compile_args=["-std=c11", "-O2", "-g0"],
    # The library lies in the package, in the folders of an installation.
    extra_link_args=["-Wl,-rpath,$ORIGIN/lib", "-Wl,--strip-all"],
    py_limited_api=True,
)
