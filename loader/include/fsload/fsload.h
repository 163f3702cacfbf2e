// fsload for C: loads filesystem plugins, and uses the files behind them. C11
// and C++17. docs/c-api.md shows it in a program.
//
// Errors. A function that can fail returns an fsload_code, FSLOAD_OK for
// success, and takes an fsload_error** last (fsload/c/base.h). No C++ exception
// leaves a function, running out of memory included: that is
// FSLOAD_RESOURCE_EXHAUSTED. A null pointer where one is needed is
// FSLOAD_INVALID_ARGUMENT. Codes in comments are without their FSLOAD_.
//
// Results come through pointers, which must not be null. After a failure a
// handle is null and everything else is as before, unless a function's comment
// says otherwise.
//
// Handles are opaque, and the caller's: each has one function that frees it and
// that ignores null. A string that a function returns ends in a null byte and
// is valid as long as the handle it comes from. Strings that are passed are
// copied where they are needed longer than the call.
//
// Structs begin with struct_size, so that they can grow. A struct that is
// passed has all its other bytes 0 where nothing is wanted, and struct_size set
// to its sizeof; FSLOAD_INVALID_ARGUMENT for too small a one, and for one of a
// newer release with bytes set that this release does not know. In those that
// the library hands out, struct_size says how much of it the library has filled
// in.
//
// Threads. Functions may be called from any thread at the same time, on the
// same handles too, unless a function's comment says otherwise; a handle may be
// freed when no other thread uses it any more, and by another thread than the
// one that got it. An fsload_error* variable belongs to one thread at a time.
//
// Callbacks get the pointer that was given with them. They must return: they
// must not throw, and not leave by longjmp.
#ifndef FSLOAD_FSLOAD_H_
#define FSLOAD_FSLOAD_H_

#include "fsload/c/base.h"
#include "fsload/c/entries.h"
#include "fsload/c/files.h"
#include "fsload/c/observer.h"
#include "fsload/c/paths.h"
#include "fsload/c/registry.h"
#include "fsload/c/report.h"
#include "fsload/version.h"

#endif  // FSLOAD_FSLOAD_H_
