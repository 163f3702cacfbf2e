#include "core/calls/translated_path.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "core/paths/uri.h"
#include "core/testing/scripted_plugin.h"

namespace fsload {
namespace {

class TranslatedPathTest : public testing::Test {
 protected:
  TranslatedPath Translate(std::string_view uri) {
    return TranslatedPath(plugin_.tables, filesystem_, Op::kFilesystem_stat,
                          uri, SchemeBytesOf(uri));
  }

  ScriptedPlugin plugin_;
  const TF_Filesystem filesystem_ = {&plugin_};
};

TEST_F(TranslatedPathTest, IsWhatThePluginMakesOfTheUri) {
  plugin_.translate_name = [](const char* uri) {
    return PluginMemory::Duplicate(std::string("<") + uri + ">");
  };
  const TranslatedPath path = Translate("s3://b//k");
  EXPECT_EQ(path.status(), absl::OkStatus());
  EXPECT_STREQ(path.c_str(), "<s3://b//k>");
  EXPECT_EQ(plugin_.Count(Op::kFilesystem_translate_name), 1);
}

TEST_F(TranslatedPathTest, MayBeEmpty) {
  plugin_.translate_name = [](const char*) {
    return PluginMemory::Duplicate("");
  };
  const TranslatedPath path = Translate("s3://b");
  EXPECT_EQ(path.status(), absl::OkStatus());
  EXPECT_STREQ(path.c_str(), "");
}

TEST_F(TranslatedPathTest, IsFreedWithThePluginsFree) {
  {
    const TranslatedPath path = Translate("/a");
    EXPECT_EQ(PluginMemory::live(), 1);
  }
  EXPECT_EQ(PluginMemory::live(), 0);
  EXPECT_EQ(PluginMemory::wrong_frees(), 0);
}

TEST_F(TranslatedPathTest, MayBeTheUriItselfWhichIsNotFreed) {
  plugin_.translate_name = [](const char* uri) {
    return const_cast<char*>(uri);
  };
  for (const size_t length : {0, 1, 319, 320, 1000}) {
    const std::string uri(length, 'u');
    const TranslatedPath path = Translate(uri);
    EXPECT_EQ(path.status(), absl::OkStatus());
    EXPECT_EQ(path.c_str(), uri);
  }
  EXPECT_EQ(PluginMemory::wrong_frees(), 0);
}

TEST_F(TranslatedPathTest, FailsWhenThePluginAnswersNull) {
  plugin_.translate_name = [](const char*) -> char* { return nullptr; };
  EXPECT_EQ(Translate("s3://b").status(),
            absl::InternalError("s3://b: the plugin reported OK but returned "
                                "null instead of a path (translate_name)"));
}

TEST_F(TranslatedPathTest, FailsWhenThePluginThrows) {
  plugin_.translate_name = [](const char*) -> char* {
    throw std::invalid_argument("no bucket");
  };
  EXPECT_EQ(
      Translate("s3://b").status(),
      absl::InternalError("s3://b: the plugin threw std::invalid_argument: no "
                          "bucket (translate_name)"));
}

TEST_F(TranslatedPathTest, SurvivesAFreeThatThrows) {
  static int frees;
  frees = 0;
  plugin_.tables.memory.free = [](void* memory) {
    PluginMemory::Free(memory);
    ++frees;
    throw std::runtime_error("not free");
  };
  EXPECT_EQ(Translate("/a").status(), absl::OkStatus());
  EXPECT_EQ(frees, 1);
}

TEST_F(TranslatedPathTest, RefusesANullByteAnywhere) {
  for (const std::string_view uri :
       {std::string_view("\0", 1), std::string_view("/a\0", 3),
        std::string_view("\0/a", 3)}) {
    const absl::Status status = Translate(uri).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  }
  plugin_.Remove(Op::kFilesystem_translate_name);
  EXPECT_EQ(
      Translate(std::string_view("/a\0b", 4)).status(),
      absl::InvalidArgumentError("/a\\0b: the path contains a null byte, at "
                                 "which a plugin would truncate it (stat)"));
  EXPECT_EQ(plugin_.Count(Op::kFilesystem_translate_name), 0);
}

TEST_F(TranslatedPathTest, IsTheCleanedPathByDefault) {
  plugin_.Remove(Op::kFilesystem_translate_name);
  constexpr struct {
    std::string_view uri, path;
  } kCases[] = {
      {"", ""},  // L645
      {"/", "/"},
      {"a//b/../c/", "a/c"},
      {"file:///a//b", "/a/b"},
      {"file://host/a/./b", "/a/b"},
      {"file://host", "/"},
      {"file://", "/"},
      {"file:///", "/"},
      {"file:///..", "/"},
      {"f://host/a", "f:/host/a"},  // no scheme, so all of it is a path
      {".", "."},
      {"..", ".."},
  };
  for (const auto& each : kCases) {
    const TranslatedPath path = Translate(each.uri);
    EXPECT_EQ(path.status(), absl::OkStatus());
    EXPECT_EQ(path.c_str(), each.path) << each.uri;
  }
}

TEST_F(TranslatedPathTest, IsOfAnyLengthByDefault) {
  plugin_.Remove(Op::kFilesystem_translate_name);
  for (const size_t length : {317, 318, 319, 320, 321, 100'000}) {
    const std::string uri(length, 'u');
    EXPECT_EQ(Translate(uri).c_str(), uri);
  }
}

TEST_F(TranslatedPathTest, IsEmptyForAViewOfNothing) {
  EXPECT_STREQ(Translate(std::string_view()).c_str(), "");
  plugin_.Remove(Op::kFilesystem_translate_name);
  EXPECT_STREQ(Translate(std::string_view()).c_str(), "");
}

TEST_F(TranslatedPathTest, IsWhatTranslateNameYields) {
  const auto file_system = plugin_.Create("s3");
  const auto name = file_system->TranslateName("s3://b//k");
  ASSERT_TRUE(name.ok()) << name.status();
  EXPECT_EQ(*name, "s3://b//k");
  plugin_.translate_name = [](const char*) -> char* { throw 42; };
  EXPECT_EQ(
      file_system->TranslateName("s3://b//k").status(),
      absl::InternalError("s3://b//k: the plugin threw int (translate_name)"));
}

}  // namespace
}  // namespace fsload
