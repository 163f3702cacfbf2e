#include "loader/linking/imports_library.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::HasSubstr;
using testing::Not;

// The arguments of a function, to check that none is lost on the way.
struct Arguments {
  int64_t whole[6];
  double real[8];
  int64_t whole_on_stack[2];
  double real_on_stack[2];
};

// Too large for the return registers: its address is a hidden argument.
struct Result {
  Arguments arguments;
  int64_t sum;
};

double TakeRegistersAndStack(int64_t i0, int64_t i1, int64_t i2, int64_t i3,
                             int64_t i4, int64_t i5, double d0, double d1,
                             double d2, double d3, double d4, double d5,
                             double d6, double d7, int64_t i6, double d8,
                             int64_t i7, double d9, Arguments* seen) {
  *seen = {{i0, i1, i2, i3, i4, i5},
           {d0, d1, d2, d3, d4, d5, d6, d7},
           {i6, i7},
           {d8, d9}};
  return 0.5;
}

Result ReturnInMemory(int64_t i0, int64_t i1, double d0) {
  Result result = {};
  result.arguments.whole[0] = i0;
  result.arguments.whole[1] = i1;
  result.arguments.real[0] = d0;
  result.sum = i0 + i1;
  return result;
}

// The caller passes in a register how many vector registers it used.
double Sum(int count, ...) {
  va_list list;
  va_start(list, count);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(list, double);
  va_end(list);
  return sum;
}

const char* Same(const char* text) { return text; }
int One() { return 1; }
int Two() { return 2; }

template <typename Function>
ImportedFunction Import(const char* name, Function* function) {
  return {name, reinterpret_cast<const void*>(function)};
}

// The library, opened like a plugin's dependencies.
void* Open(const std::string& soname,
           const std::vector<ImportedFunction>& functions) {
  const std::string path = NewPath(soname);
  WriteFile(path, BuildImportsLibrary(soname, functions));
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  return handle;
}

template <typename Function>
Function* Find(void* handle, const char* name, Function*) {
  void* const found = dlsym(handle, name);
  EXPECT_NE(found, nullptr) << dlerror();
  return reinterpret_cast<Function*>(found);
}

TEST(ImportsLibrary, PassesAllArgumentsAndTheResult) {
  void* const handle =
      Open("arguments", {Import("Function", &TakeRegistersAndStack)});
  auto* const function = Find(handle, "Function", &TakeRegistersAndStack);
  ASSERT_NE(function, &TakeRegistersAndStack);
  Arguments seen = {};
  EXPECT_EQ(function(1, 2, 3, 4, 5, 6, .1, .2, .3, .4, .5, .6, .7, .8, 7, .9, 8,
                     1.0, &seen),
            0.5);
  EXPECT_THAT(seen.whole, testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(seen.real, testing::ElementsAre(.1, .2, .3, .4, .5, .6, .7, .8));
  EXPECT_THAT(seen.whole_on_stack, testing::ElementsAre(7, 8));
  EXPECT_THAT(seen.real_on_stack, testing::ElementsAre(.9, 1.0));
}

TEST(ImportsLibrary, PassesAResultInMemory) {
  void* const handle = Open("result", {Import("Function", &ReturnInMemory)});
  const Result result =
      Find(handle, "Function", &ReturnInMemory)(INT64_MIN, INT64_MAX, -0.25);
  EXPECT_EQ(result.sum, -1);
  EXPECT_EQ(result.arguments.whole[0], INT64_MIN);
  EXPECT_EQ(result.arguments.whole[1], INT64_MAX);
  EXPECT_EQ(result.arguments.real[0], -0.25);
}

TEST(ImportsLibrary, PassesAnyNumberOfArguments) {
  void* const handle = Open("variadic", {Import("Sum", &Sum)});
  EXPECT_EQ(
      Find(handle, "Sum", &Sum)(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.),
      55);
}

// Whatever the caller passes.
TEST(ImportsLibrary, PassesItsOwnArgument) {
  static const char kOne[] = "one";
  static const char kTwo[] = "two";
  void* const handle = Open(
      "argument", {{"First", reinterpret_cast<const void*>(&Same), kOne},
                   Import("Between", &One),
                   {"Second", reinterpret_cast<const void*>(&Same), kTwo}});
  EXPECT_STREQ(Find(handle, "First", &Same)("other"), "one");
  EXPECT_EQ(Find(handle, "Between", &One)(), 1);
  EXPECT_STREQ(Find(handle, "Second", &Same)(nullptr), "two");
}

TEST(ImportsLibrary, FindsEachOfManyFunctions) {
  std::vector<ImportedFunction> functions;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "FsloadTestFunction" + std::to_string(i);
    functions.push_back(Import(name.c_str(), i % 2 == 0 ? &One : &Two));
  }
  void* const handle = Open("many", functions);
  for (int i = 0; i < 1000; ++i) {
    auto* const found = Find(handle, functions[i].name.c_str(), &One);
    ASSERT_EQ(found(), i % 2 == 0 ? 1 : 2) << i;
  }
  EXPECT_EQ(dlsym(handle, "FsloadTestFunction1000"), nullptr);
}

TEST(ImportsLibrary, MayBeEmpty) {
  void* const handle = Open("empty", {});
  EXPECT_EQ(dlsym(handle, "FsloadTestOne"), nullptr);
}

TEST(ImportsLibrary, StandsBesideAnotherWithTheSameFunctions) {
  void* const one = Open("beside_1", {Import("FsloadTestSame", &One)});
  void* const two = Open("beside_2", {Import("FsloadTestSame", &Two)});
  EXPECT_EQ(Find(one, "FsloadTestSame", &One)(), 1);
  EXPECT_EQ(Find(two, "FsloadTestSame", &Two)(), 2);
}

TEST(ImportsLibrary, IsInvisibleToOthers) {
  void* const handle = Open("hidden", {Import("FsloadTestHidden", &One)});
  EXPECT_NE(dlsym(handle, "FsloadTestHidden"), nullptr);
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "FsloadTestHidden"), nullptr);
}

// readelf's output for the file at `path`, warnings included.
std::string Readelf(const std::string& path) {
  const std::string command =
      "readelf --wide --file-header --segments --dynamic --symbols "
      "--use-dynamic " +
      path + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  std::string text;
  char block[4096];
  while (const size_t bytes = std::fread(block, 1, sizeof(block), pipe)) {
    text.append(block, bytes);
  }
  EXPECT_EQ(pclose(pipe), 0) << text;
  return text;
}

TEST(ImportsLibrary, IsRightInTheEyesOfReadelf) {
  const std::string path = NewPath("readelf");
  WriteFile(path, BuildImportsLibrary("the_name", {Import("First", &One),
                                                   Import("Second", &Two)}));
  const std::string text = Readelf(path);
  EXPECT_THAT(text, HasSubstr("Library soname: [the_name]"));
  EXPECT_THAT(text, HasSubstr("DYN (Shared object file)"));
  EXPECT_THAT(text, HasSubstr("FUNC    GLOBAL DEFAULT    1 First"));
  EXPECT_THAT(text, HasSubstr("FUNC    GLOBAL DEFAULT    1 Second"));
  EXPECT_THAT(text, HasSubstr("Type           Offset"));
  EXPECT_THAT(text, Not(HasSubstr("arning")));
  EXPECT_THAT(text, Not(HasSubstr("rror")));
  EXPECT_THAT(text, Not(HasSubstr("RWE")));
}

}  // namespace
}  // namespace fsload
