#include "core/calls/direct_call.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/tables/operations.h"
#include "core/testing/calls_without_exceptions.h"
#include "core/testing/scripted_plugin.h"

namespace fsload {
namespace {

// Read, Append and Tell are inlined into callers, which may be unable to catch
// anything.
TEST(DirectCallTest, StopsExceptionsForCallersWithoutAny) {
  ScriptedPlugin plugin;
  for (const Op op : {Op::kRandomAccessFile_read, Op::kWritableFile_append,
                      Op::kWritableFile_tell, Op::kFilesystem_path_exists}) {
    plugin.On(op, [](TF_Status*) { throw std::runtime_error("words"); });
  }
  const auto file_system = plugin.Create("s3");
  const auto reader = file_system->NewRandomAccessFile("s3://b/k");
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto writer = file_system->NewWritableFile("s3://b/k");
  ASSERT_TRUE(writer.ok()) << writer.status();
  const std::pair<std::string, absl::Status> answers[] = {
      {"read", ReadWithoutExceptions(**reader)},
      {"append", AppendWithoutExceptions(**writer)},
      {"tell", TellWithoutExceptions(**writer)},
      {"path_exists", ExistsWithoutExceptions(*file_system)},
  };
  for (const auto& [name, answer] : answers) {
    EXPECT_EQ(answer, absl::InternalError(
                          "s3://b/k: the plugin threw std::runtime_error: "
                          "words (" +
                          name + ")"));
  }
}

}  // namespace
}  // namespace fsload
