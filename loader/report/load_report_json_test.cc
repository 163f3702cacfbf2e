#include "loader/report/load_report_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "core/system/sealed_region.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

LoadReport SomeReport() {
  LoadReport report;
  report.status = absl::AlreadyExistsError("taken");
  report.plugin = "a \"plugin\"";
  report.loaded_before = true;
  report.findings = {
      {RuleId::kReadable, "", false, "of all"},
      {RuleId::kAbi, "s", true, "of one", 0, Table::kWritableFile,
       Op::kWritableFile_append, Numbers{264, 7}}};
  SchemeReport scheme;
  scheme.scheme = "s";
  scheme.tables[0] = {true, 176, 1, 2};
  scheme.present = {Op::kFilesystem_init};
  scheme.by_default = {Op::kFilesystem_stat};
  scheme.unavailable = {Op::kWritableFile_append};
  scheme.disabled = {Op::kFilesystem_stat};
  scheme.registered = true;
  report.schemes = {scheme};
  report.sealing = SealingTier::kSealedFile;
  report.imports = {"TF_SetStatus"};
  report.known_as = "libknown.so";
  report.status_provider = "fsload";
  report.stubs = {"tsl::mutex::lock()"};
  return report;
}

TEST(LoadReportJsonTest, ComesBackAsItWas) {
  const LoadReport wanted = SomeReport();
  const std::optional<LoadReport> found =
      ReportFromJson(PluginJsonText(wanted));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->status, wanted.status);
  EXPECT_EQ(found->plugin, wanted.plugin);
  EXPECT_TRUE(found->loaded_before);
  ASSERT_THAT(found->findings, SizeIs(2));
  EXPECT_EQ(ToString(found->findings[0]), "FSP034: of all");
  EXPECT_EQ(ToString(found->findings[1]), "FSP115: scheme 's': of one");
  EXPECT_EQ(found->findings[1].table, Table::kWritableFile);
  EXPECT_EQ(found->findings[1].op, Op::kWritableFile_append);
  ASSERT_TRUE(found->findings[1].numbers.has_value());
  EXPECT_EQ(found->findings[1].numbers->wanted, 264);
  EXPECT_EQ(found->findings[1].numbers->found, 7);
  ASSERT_THAT(found->schemes, SizeIs(1));
  const SchemeReport& scheme = found->schemes[0];
  EXPECT_EQ(scheme.scheme, "s");
  EXPECT_TRUE(scheme.registered);
  EXPECT_TRUE(scheme.tables[0].present);
  EXPECT_EQ(scheme.tables[0].declared_bytes, 176);
  EXPECT_EQ(scheme.tables[0].abi, 1);
  EXPECT_EQ(scheme.tables[0].api, 2);
  EXPECT_FALSE(scheme.tables[1].present);
  EXPECT_THAT(scheme.present, ElementsAre(Op::kFilesystem_init));
  EXPECT_THAT(scheme.by_default, ElementsAre(Op::kFilesystem_stat));
  EXPECT_THAT(scheme.unavailable, ElementsAre(Op::kWritableFile_append));
  EXPECT_THAT(scheme.disabled, ElementsAre(Op::kFilesystem_stat));
  EXPECT_EQ(found->sealing, SealingTier::kSealedFile);
  EXPECT_THAT(found->imports, ElementsAre("TF_SetStatus"));
  EXPECT_EQ(found->known_as, "libknown.so");
  EXPECT_EQ(found->status_provider, "fsload");
  EXPECT_THAT(found->stubs, ElementsAre("tsl::mutex::lock()"));
}

TEST(LoadReportJsonTest, IsOneLineOfUtf8WhateverAPluginSays) {
  LoadReport report;
  report.findings = {{RuleId::kAbi, "s\xff", true, "two\nlines\x80"}};
  const std::string text = PluginJsonText(report);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const std::optional<LoadReport> found = ReportFromJson(text);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->findings[0].scheme, "s\xef\xbf\xbd");
  EXPECT_EQ(found->findings[0].message, "two\nlines\xef\xbf\xbd");
}

TEST(LoadReportJsonTest, TakesBracketsInTexts) {
  LoadReport report;
  report.plugin = std::string(100, '[') + "\"\\" + std::string(100, '{');
  const std::optional<LoadReport> found =
      ReportFromJson(PluginJsonText(report));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->plugin, report.plugin);
}

TEST(LoadReportJsonTest, RefusesEverythingElse) {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("7"),
        std::string("null"), std::string("{\"plugin\":7}"),
        std::string(10'000'000, '[')}) {
    EXPECT_FALSE(ReportFromJson(text).has_value()) << text.substr(0, 20);
  }
}

// In time that grows with the text: it would take hours to compare all keys.
TEST(LoadReportJsonTest, RefusesAMillionKeysSoon) {
  std::string text = "{\"plugin\":\"p\"";
  for (int i = 0; i < 1'000'000; ++i) {
    text += ",\"" + std::to_string(i) + "\":0";
  }
  EXPECT_FALSE(ReportFromJson(text + "}").has_value());
}

// A plugin may have written to the memory with the report.
TEST(LoadReportJsonTest, SurvivesReportsWithAnyPartMissingOrReplaced) {
  const nlohmann::json whole = PluginJson(SomeReport());
  const nlohmann::json parts = whole.flatten();
  for (const auto& [pointer, value] : parts.items()) {
    for (const nlohmann::json& other :
         {nlohmann::json(), nlohmann::json(-1), nlohmann::json("no rule"),
          nlohmann::json::array(), nlohmann::json::object()}) {
      nlohmann::json changed = whole;
      changed[nlohmann::json::json_pointer(pointer)] = other;
      static_cast<void>(ReportFromJson(changed.dump()));
    }
  }
}

}  // namespace
}  // namespace fsload
