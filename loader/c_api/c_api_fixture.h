// What the tests of the C API share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "fsload/fsload.h"
#include "loader/testing/test_plugins.h"

namespace fsload {

// A registry of its own, and an error variable that all calls of a test share.
class CApiTest : public ::testing::Test {
 protected:
  CApiTest() { EXPECT_EQ(fsload_registry_new(&registry_, &error_), FSLOAD_OK); }

  ~CApiTest() override {
    EXPECT_EQ(fsload_retire_all(registry_, 10, &error_), FSLOAD_OK) << Why();
    fsload_registry_free(registry_);
    fsload_error_free(error_);
  }

  std::string Why() const { return fsload_error_message(error_); }

  // Loads testdata/<name>.so; by default with all of its operations.
  void Load(const std::string& name,
            const fsload_load_options* options = nullptr) {
    fsload_load_options trusting = {};
    trusting.struct_size = sizeof(trusting);
    trusting.allow_damaging_operations = 1;
    const std::string path = "testdata/" + name + ".so";
    ASSERT_EQ(
        fsload_load(registry_, path.c_str(),
                    options == nullptr ? &trusting : options, nullptr, &error_),
        FSLOAD_OK)
        << Why();
  }

  void Write(const std::string& uri, std::string_view text) {
    fsload_writer* writer = nullptr;
    ASSERT_EQ(fsload_open_writer(registry_, uri.c_str(), &writer, &error_),
              FSLOAD_OK)
        << Why();
    EXPECT_EQ(fsload_append(writer, text.data(), text.size(), &error_),
              FSLOAD_OK)
        << Why();
    EXPECT_EQ(fsload_close(writer, &error_), FSLOAD_OK) << Why();
    fsload_writer_free(writer);
  }

  // Returns the contents of a file of at most 100 bytes, or the error.
  std::string Read(const std::string& uri) {
    fsload_reader* reader = nullptr;
    if (fsload_open_reader(registry_, uri.c_str(), &reader, &error_) !=
        FSLOAD_OK) {
      return Why();
    }
    char text[100];
    size_t count = 0;
    const fsload_code code =
        fsload_read(reader, 0, text, sizeof(text), &count, &error_);
    fsload_reader_free(reader);
    return code == FSLOAD_OK ? std::string(text, count) : Why();
  }

  bool Exists(const std::string& uri) {
    int exists = -1;
    EXPECT_EQ(fsload_exists(registry_, uri.c_str(), &exists, &error_),
              FSLOAD_OK)
        << Why();
    return exists == 1;
  }

  fsload_registry* registry_ = nullptr;
  fsload_error* error_ = nullptr;
};

// The same with an empty directory `root_` of the posix or the memory plugin.
class CApiFilesTest : public CApiTest,
                      public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    const std::string plugin = GetParam();
    Load(plugin);
    root_ = plugin == "memory" ? "memory:///root"
                               : "posix://" + NewTestDirectory() + "/root";
    ASSERT_EQ(fsload_create_directory(registry_, root_.c_str(), &error_),
              FSLOAD_OK)
        << Why();
  }

  std::string At(const std::string& path) const { return root_ + "/" + path; }

  std::string root_;
};

inline std::vector<std::string> TextsOf(const fsload_strings* strings) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < fsload_strings_count(strings); ++i) {
    texts.emplace_back(fsload_strings_get(strings, i));
  }
  EXPECT_EQ(fsload_strings_get(strings, texts.size()), nullptr);
  return texts;
}

}  // namespace fsload
