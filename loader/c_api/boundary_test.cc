// What holds for all functions: null pointers, errors, codes, no memory.
#include <string>

#include "absl/status/status.h"
#include "loader/c_api/c_api_fixture.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using CApiBoundaryTest = CApiTest;

// A call that lacks what it needs.
struct NullCall {
  const char* function;
  fsload_code (*call)(fsload_error** error);
};

const NullCall kNullCalls[] = {
    {"fsload_registry_new",
     [](fsload_error** e) { return fsload_registry_new(nullptr, e); }},
    {"fsload_schemes",
     [](fsload_error** e) { return fsload_schemes(nullptr, nullptr, e); }},
    {"fsload_load",
     [](fsload_error** e) {
       return fsload_load(nullptr, nullptr, nullptr, nullptr, e);
     }},
    {"fsload_find_or_load",
     [](fsload_error** e) {
       return fsload_find_or_load(nullptr, nullptr, nullptr, e);
     }},
    {"fsload_retire",
     [](fsload_error** e) { return fsload_retire(nullptr, nullptr, 0, e); }},
    {"fsload_check",
     [](fsload_error** e) {
       return fsload_check(nullptr, nullptr, nullptr, e);
     }},
    {"fsload_observer_new",
     [](fsload_error** e) { return fsload_observer_new(nullptr, nullptr, e); }},
    {"fsload_open_reader",
     [](fsload_error** e) {
       return fsload_open_reader(nullptr, "a", nullptr, e);
     }},
    {"fsload_read",
     [](fsload_error** e) {
       return fsload_read(nullptr, 0, nullptr, 1, nullptr, e);
     }},
    {"fsload_open_writer",
     [](fsload_error** e) {
       return fsload_open_writer(nullptr, "a", nullptr, e);
     }},
    {"fsload_open_appender",
     [](fsload_error** e) {
       return fsload_open_appender(nullptr, nullptr, nullptr, e);
     }},
    {"fsload_append",
     [](fsload_error** e) { return fsload_append(nullptr, nullptr, 1, e); }},
    {"fsload_tell",
     [](fsload_error** e) { return fsload_tell(nullptr, nullptr, e); }},
    {"fsload_flush", [](fsload_error** e) { return fsload_flush(nullptr, e); }},
    {"fsload_sync", [](fsload_error** e) { return fsload_sync(nullptr, e); }},
    {"fsload_close", [](fsload_error** e) { return fsload_close(nullptr, e); }},
    {"fsload_open_region",
     [](fsload_error** e) {
       return fsload_open_region(nullptr, "a", nullptr, e);
     }},
    {"fsload_stat",
     [](fsload_error** e) { return fsload_stat(nullptr, "a", nullptr, e); }},
    {"fsload_check_uri",
     [](fsload_error** e) { return fsload_check_uri(nullptr, nullptr, e); }},
    {"fsload_exists",
     [](fsload_error** e) { return fsload_exists(nullptr, "a", nullptr, e); }},
    {"fsload_is_root",
     [](fsload_error** e) { return fsload_is_root("a", nullptr, e); }},
    {"fsload_create_directory",
     [](fsload_error** e) {
       return fsload_create_directory(nullptr, nullptr, e);
     }},
    {"fsload_create_directories",
     [](fsload_error** e) {
       return fsload_create_directories(nullptr, nullptr, e);
     }},
    {"fsload_delete_file",
     [](fsload_error** e) { return fsload_delete_file(nullptr, nullptr, e); }},
    {"fsload_delete_directory",
     [](fsload_error** e) {
       return fsload_delete_directory(nullptr, nullptr, e);
     }},
    {"fsload_delete_recursively",
     [](fsload_error** e) {
       return fsload_delete_recursively(nullptr, nullptr, nullptr, nullptr, e);
     }},
    {"fsload_rename",
     [](fsload_error** e) { return fsload_rename(nullptr, "a", nullptr, e); }},
    {"fsload_copy",
     [](fsload_error** e) {
       return fsload_copy(nullptr, "a", nullptr, nullptr, e);
     }},
    {"fsload_flush_caches",
     [](fsload_error** e) { return fsload_flush_caches(nullptr, nullptr, e); }},
    {"fsload_list",
     [](fsload_error** e) {
       return fsload_list(nullptr, "a", nullptr, nullptr, e);
     }},
    {"fsload_walk_begin",
     [](fsload_error** e) {
       return fsload_walk_begin(nullptr, "a", nullptr, nullptr, e);
     }},
    {"fsload_walk_next",
     [](fsload_error** e) { return fsload_walk_next(nullptr, nullptr, e); }},
    {"fsload_glob",
     [](fsload_error** e) { return fsload_glob(nullptr, "a", nullptr, e); }},
};

TEST_F(CApiBoundaryTest, RefusesNullPointersAndNamesTheArgument) {
  for (const NullCall& each : kNullCalls) {
    EXPECT_EQ(each.call(&error_), FSLOAD_INVALID_ARGUMENT) << each.function;
    EXPECT_THAT(Why(),
                StartsWith(std::string(each.function) + ": the argument '"));
    EXPECT_THAT(Why(), ::testing::EndsWith("' is null"));
    EXPECT_EQ(each.call(nullptr), FSLOAD_INVALID_ARGUMENT) << each.function;
  }
}

TEST_F(CApiBoundaryTest, FreesAndAsksNothingOfNull) {
  fsload_error_free(nullptr);
  fsload_strings_free(nullptr);
  fsload_registry_free(nullptr);
  fsload_report_free(nullptr);
  fsload_reader_free(nullptr);
  fsload_writer_free(nullptr);
  fsload_discard(nullptr);
  fsload_region_free(nullptr);
  fsload_entries_free(nullptr);
  fsload_walk_free(nullptr);
  fsload_observer_stop(nullptr);
  EXPECT_EQ(fsload_error_code(nullptr), FSLOAD_OK);
  EXPECT_STREQ(fsload_error_message(nullptr), "");
  EXPECT_EQ(fsload_strings_count(nullptr), 0);
  EXPECT_EQ(fsload_strings_get(nullptr, 0), nullptr);
  EXPECT_EQ(fsload_entries_count(nullptr), 0);
  EXPECT_EQ(fsload_entries_get(nullptr, 0), nullptr);
  EXPECT_EQ(fsload_region_data(nullptr), nullptr);
  EXPECT_EQ(fsload_region_size(nullptr), 0);
  EXPECT_EQ(fsload_report_code(nullptr), FSLOAD_INVALID_ARGUMENT);
  EXPECT_EQ(fsload_report_finding(nullptr, 0), nullptr);
  EXPECT_EQ(fsload_report_scheme(nullptr, 0), nullptr);
  EXPECT_STREQ(fsload_report_message(nullptr), "");
  EXPECT_STREQ(fsload_report_plugin(nullptr), "");
  EXPECT_STREQ(fsload_report_text(nullptr), "");
  EXPECT_STREQ(fsload_report_json(nullptr), "");
}

TEST_F(CApiBoundaryTest, NamesAllCodes) {
  for (int code = 0; code <= 16; ++code) {
    EXPECT_EQ(fsload_code_name(static_cast<fsload_code>(code)),
              absl::StatusCodeToString(static_cast<absl::StatusCode>(code)));
  }
  EXPECT_STREQ(fsload_code_name(static_cast<fsload_code>(17)), "UNKNOWN");
  EXPECT_STREQ(fsload_code_name(static_cast<fsload_code>(-1)), "UNKNOWN");
}

TEST_F(CApiBoundaryTest, HasTheVersionOfItsHeader) {
  EXPECT_STREQ(fsload_version(), FSLOAD_VERSION);
  EXPECT_EQ(fsload_version_number(), FSLOAD_VERSION_NUMBER);
  EXPECT_EQ(std::to_string(FSLOAD_VERSION_MAJOR) + "." +
                std::to_string(FSLOAD_VERSION_MINOR) + "." +
                std::to_string(FSLOAD_VERSION_PATCH),
            fsload_version());
}

TEST_F(CApiBoundaryTest, PassesThePluginsCodesOn) {
  Load("deviant_none");
  for (int code = 1; code <= 16; ++code) {
    const std::string uri = "deviant:///code/" + std::to_string(code);
    EXPECT_EQ(fsload_create_directory(registry_, uri.c_str(), &error_), code);
    EXPECT_EQ(fsload_error_code(error_), code);
    EXPECT_THAT(Why(), HasSubstr("as asked"));
  }
}

}  // namespace
}  // namespace fsload
