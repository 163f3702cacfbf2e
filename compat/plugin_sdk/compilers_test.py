#!/usr/bin/python3
"""Compiles plugins as their authors do: with each compiler and each standard, and
classes that are not right, which must not compile. Argument: the folder that has
include/ and tensorflow/."""

import os
import shutil
import subprocess
import sys
import unittest

COMPAT = sys.argv[1]
DEADLINE = 120  # seconds, for what takes one
COMPILERS = [[name] for name in ("g++", "clang++") if shutil.which(name)]
if ["clang++"] in COMPILERS and os.path.exists("/usr/include/c++/v1"):
    COMPILERS.append(["clang++", "-stdlib=libc++"])

READER = """
struct Reader {{
  {read}
}};
struct Files {{
  std::unique_ptr<Reader> NewRandomAccessFile(const std::string&);
}};"""
WRITER = """
struct Writer {{
  {methods}
}};
struct Files {{
  std::unique_ptr<Writer> NewWritableFile(const std::string&);
  {more}
}};"""
FILES = """
class Files {{
 public:
  {method}
}};"""
PLUGIN = """#include "fsload/plugin_sdk.h"
{classes}
void TF_InitPlugin(TF_FilesystemPluginInfo* plugin) {{
  fsload::plugin::Register(plugin, {{fsload::plugin::Scheme<Files>("files")}});
}}
"""

READ = "size_t Read(uint64_t, size_t, char*);"
APPEND = "void Append(const char*, size_t);"
# One method of each shape.
RIGHT = READER.format(read=READ).replace("Files", "Unused") + """
struct Writer {
  void Append(const char*, size_t);
  int64_t Tell();
  void Close();
};
class Files {
 public:
  std::unique_ptr<Reader> NewRandomAccessFile(const std::string&);
  std::unique_ptr<Writer> NewWritableFile(const std::string&);
  std::unique_ptr<std::string> NewReadOnlyMemoryRegionFromFile(const std::string&);
  void CreateDir(const std::string&);
  fsload::plugin::Status DeleteFile(const std::string&);
  void DeleteRecursively(const std::string&, uint64_t*, uint64_t*);
  void RenameFile(const std::string&, const std::string&);
  bool PathExists(const std::string&);
  std::vector<bool> PathsExist(const std::vector<std::string>&);
  TF_FileStatistics Stat(const std::string&);
  fsload::plugin::Result<bool> IsDirectory(const std::string&);
  std::string TranslateName(const std::string&);
  std::vector<std::string> GetChildren(const std::string&);
  void FlushCaches();
  TF_TransactionToken* StartTransaction();
  void EndTransaction(TF_TransactionToken*);
  TF_TransactionToken* GetTransactionForPath(const std::string&);
  std::string DecodeTransactionToken(const TF_TransactionToken*);
  std::vector<fsload::plugin::Option> GetConfiguration();
  void SetConfigurationOption(const fsload::plugin::Option&);
  std::vector<std::string> GetConfigurationKeys();
};"""

LACKS = "a class lacks a method that it needs: "
OTHER_ARGUMENTS = ("a method is private, or takes other arguments than its operation has; "
                   "declare it as: public: ")
OTHER_VALUE = "a method returns another type than its operation needs; declare it as: "

# What the compiler says of classes that are not right.
WRONG = {
    "a reader that cannot read": (
        READER.format(read=""),
        LACKS + "size_t Read(uint64_t offset, size_t n, char* buffer)"),
    "a reader that reads something else": (
        READER.format(read="size_t Read(char*);"),
        OTHER_ARGUMENTS + "size_t Read(uint64_t offset, size_t n, char* buffer)"),
    "a reader that yields no count": (
        READER.format(read="std::string Read(uint64_t, size_t, char*);"),
        OTHER_VALUE + "size_t Read(uint64_t offset, size_t n, char* buffer)"),
    "a writer that cannot append": (
        WRITER.format(methods="void Close();", more=""),
        LACKS + "void Append(const char* data, size_t n)"),
    "a writer that tells whether it has appended": (
        WRITER.format(methods="bool Append(const char*, size_t); void Close();", more=""),
        OTHER_VALUE + "void Append(const char* data, size_t n)"),
    "a question that is answered by a number": (
        FILES.format(method="int IsDirectory(const std::string&);"),
        OTHER_VALUE + "bool IsDirectory(const std::string& path)"),
    "a writer that cannot be closed": (
        WRITER.format(methods=APPEND, more=""), LACKS + "void Close()"),
    "two classes of writers": (
        WRITER.format(methods=APPEND + "void Close();",
                      more="std::unique_ptr<int> NewAppendableFile(const std::string&);"),
        "NewWritableFile and NewAppendableFile return files of different classes"),
    "a region without a size": (
        "struct Region { const char* data(); };" + FILES.format(
            method="std::unique_ptr<Region> "
                   "NewReadOnlyMemoryRegionFromFile(const std::string&);"),
        LACKS + "size_t size()"),
    "an opener that yields no pointer": (
        FILES.format(method="int NewRandomAccessFile(const std::string&);"),
        OTHER_VALUE + "std::unique_ptr<YourReader> NewRandomAccessFile(const std::string& path)"),
    "a method with another argument": (
        FILES.format(method="void CreateDir(int);"),
        OTHER_ARGUMENTS + "void CreateDir(const std::string& path)"),
    "a method that is private": (
        FILES.format(method="private: void CreateDir(const std::string&);"),
        OTHER_ARGUMENTS + "void CreateDir(const std::string& path)"),
    "a method that changes its argument": (
        FILES.format(method="TF_FileStatistics Stat(std::string&);"),
        OTHER_ARGUMENTS + "TF_FileStatistics Stat(const std::string& path)"),
    "a method that yields something else": (
        FILES.format(method="int Stat(const std::string&);"),
        OTHER_VALUE + "TF_FileStatistics Stat(const std::string& path)"),
    "a method that yields what is to be nothing": (
        FILES.format(method="bool DeleteFile(const std::string&);"),
        OTHER_VALUE + "void DeleteFile(const std::string& path)"),
    "a class that needs an argument": (
        FILES.format(method="explicit Files(int);"),
        "the class of a file system needs a default constructor"),
}


def compiled(compiler, source, *arguments):
    """What the compiler says; nothing if it compiles."""
    ended = subprocess.run(
        [*compiler, "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fsyntax-only", *arguments,
         f"-I{COMPAT}/include", "-x", "c++", "-"],
        input=source, text=True, capture_output=True, timeout=DEADLINE, check=False)
    return ended.stderr if ended.returncode != 0 else ""


class Compilers(unittest.TestCase):
    def test_compile_a_plugin_in_each_standard(self):
        for compiler in COMPILERS:
            for arguments in (["-std=c++11"], ["-std=c++14"], ["-std=c++17"], ["-std=c++20"],
                              ["-std=c++11", "-fno-exceptions"], ["-std=c++17", "-fno-rtti"],
                              # TensorFlow's name of the header
                              ["-std=c++17", "-DFSLOAD_PLUGIN_USES_TENSORFLOW", f"-I{COMPAT}"]):
                with self.subTest(compiler=compiler, arguments=arguments):
                    self.assertEqual(
                        compiled(compiler, PLUGIN.format(classes=RIGHT), *arguments), "")

    def test_refuse_classes_that_are_not_right(self):
        for compiler in COMPILERS[:2]:
            for name, (classes, message) in WRONG.items():
                with self.subTest(compiler=compiler, name=name):
                    said = compiled(compiler, PLUGIN.format(classes=classes), "-std=c++11")
                    self.assertIn(message, said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
