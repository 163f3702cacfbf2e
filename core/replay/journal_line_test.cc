#include "core/replay/journal_line.h"

#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/replay/redacted.h"
#include "core/replay/shapes.h"
#include "core/tables/operations.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

JournalCall SomeRead() {
  JournalCall call;
  call.op = Op::kRandomAccessFile_read;
  call.arguments = {std::string("s3://b/k"), uint64_t{1} << 63, uint64_t{9}};
  call.code = TF_OUT_OF_RANGE;
  call.message = "the end";
  call.duration = 42;
  call.values = {4};
  call.bytes = std::string("a\0\xff\n", 4);
  return call;
}

JournalCall ReadBack(const JournalCall& call) {
  const absl::StatusOr<JournalLine> line = ParseJournalLine(ToText(call));
  EXPECT_TRUE(line.ok()) << line.status();
  return line.ok() ? std::get<JournalCall>(*line) : JournalCall();
}

TEST(JournalLineTest, ReadsACallAsItWasWritten) {
  const JournalCall written = SomeRead();
  const JournalCall read = ReadBack(written);
  EXPECT_EQ(read.op, written.op);
  EXPECT_EQ(read.arguments, written.arguments);
  EXPECT_EQ(read.code, written.code);
  EXPECT_EQ(read.message, written.message);
  EXPECT_EQ(read.duration, written.duration);
  EXPECT_EQ(read.values, written.values);
  EXPECT_EQ(read.bytes, written.bytes);
}

TEST(JournalLineTest, IsOneLineThatPeopleCanRead) {
  EXPECT_EQ(ToText(SomeRead()),
            R"({"op":"RandomAccessFile.read","in":0,"arguments":["s3://b/k",)"
            R"(9223372036854775808,9],"code":"OUT_OF_RANGE","ns":42,)"
            R"("message":"the end","values":[4],)"
            R"("bytes":{"base64":"YQD/Cg=="}})");
}

TEST(JournalLineTest, KeepsTextsThatAreNotUtf8) {
  JournalCall call;
  call.op = Op::kFilesystem_get_children;
  call.arguments = {std::string("\xff/\xe2\x82")};
  call.values = {2};
  call.texts = {"\xc3\xa9", "\x80"};
  const JournalCall read = ReadBack(call);
  EXPECT_EQ(read.arguments, call.arguments);
  EXPECT_EQ(read.texts, call.texts);
}

TEST(JournalLineTest, KeepsWhatIsKnownOfAPlugin) {
  JournalFileSystem written = {
      7, "s3", "/p.so", {Op::kFilesystem_stat}, PluginTraits()};
  for (const NamedTrait& each : kNamedTraits) {
    written.traits.*each.value = each.value != &PluginTraits::is_exact;
  }
  written.traits.disabled[0] = {Op::kFilesystem_rename_file, "loses files"};
  const absl::StatusOr<JournalLine> line = ParseJournalLine(ToText(written));
  ASSERT_TRUE(line.ok()) << line.status();
  const auto& read = std::get<JournalFileSystem>(*line);
  EXPECT_EQ(read.number, 7);
  EXPECT_EQ(read.scheme, "s3");
  EXPECT_EQ(read.plugin, "/p.so");
  EXPECT_THAT(read.operations, ElementsAre(Op::kFilesystem_stat));
  for (const NamedTrait& each : kNamedTraits) {
    EXPECT_EQ(read.traits.*each.value, written.traits.*each.value) << each.name;
  }
  EXPECT_STREQ(WhyDisabled(read.traits, Op::kFilesystem_rename_file),
               "loses files");
}

struct Damaged {
  const char* line;
  const char* problem;
};

TEST(JournalLineTest, SaysWhatIsDamaged) {
  constexpr Damaged kDamaged[] = {
      {"", "it is not a JSON object"},
      {"[1]", "it is not a JSON object"},
      {"{\"op\"", "it is not a JSON object"},
      {"{}", "it is not a journal line"},
      {"{\"stopped\":1}", "it is not a journal line"},
      {"{\"fsload_journal\":2}",
       "the journal has version 2, this fsload reads 1"},
      {"{\"fsload_journal\":[]}", "the journal's version is damaged"},
      {R"({"op":"x","in":0,"arguments":[],"code":"OK"})",
       "the field 'op' is missing or damaged"},
      {R"({"op":"Filesystem.stat","in":-1,"arguments":["a"],"code":"OK"})",
       "the field 'in' is missing or damaged"},
      {R"({"op":"Filesystem.stat","in":0,"arguments":["a"],"code":"FINE"})",
       "the field 'code' is missing or damaged"},
      {R"({"op":"Filesystem.stat","in":0,"arguments":[1],"code":"OK"})",
       "the call of Filesystem.stat is damaged: its arguments are not those of "
       "the operation"},
      {R"({"op":"Filesystem.stat","in":0,"arguments":["a"],"code":"OK"})",
       "the call of Filesystem.stat is damaged: wanted 3 values, found 0"},
      {R"({"op":"Filesystem.stat","in":0,"arguments":[{"base64":"*"}],"code":"OK"})",
       "the field 'arguments' is missing or damaged"},
      {R"({"op":"RandomAccessFile.read","in":0,"arguments":["a",0,1],"code":"OK",)"
       R"("values":[2],"bytes":"ab"})",
       "the call of RandomAccessFile.read is damaged: it has more bytes than "
       "were read"},
      {R"({"op":"Filesystem.get_children","in":0,"arguments":["a"],"code":"OK",)"
       R"("values":[1],"texts":["a\u0000"]})",
       "the call of Filesystem.get_children is damaged: a text contains a null "
       "byte"},
      {R"({"file_system":0,"scheme":"s3","plugin":"p","operations":["none"]})",
       "the field 'operations' is missing or damaged"},
      {R"({"file_system":0,"scheme":"s3","plugin":"p","operations":[],)"
       R"("traits":{"disabled":[1]}})",
       "the field 'disabled' is damaged"},
      {"[[[[[[[[1]]]]]]]]", "it is nested too deeply"},
  };
  for (const Damaged& each : kDamaged) {
    EXPECT_EQ(ParseJournalLine(each.line).status(),
              absl::InvalidArgumentError(each.problem))
        << each.line;
  }
}

TEST(JournalLineTest, IgnoresFieldsOfLaterVersions) {
  EXPECT_TRUE(ParseJournalLine(
                  R"({"op":"Filesystem.flush_caches","in":0,"arguments":[],)"
                  R"("code":"OK","later":{"a":[1]}})")
                  .ok());
}

TEST(RedactTest, RemovesPasswordsFromUrisAndAnswers) {
  JournalCall call;
  call.op = Op::kFilesystem_rename_file;
  call.arguments = {std::string("http://me:secret@host/a@b"),
                    std::string("http://host/c")};
  call.message = "cannot reach me:secret@host";
  call.texts = {"http://me:secret@host/x"};
  Redact(call);
  EXPECT_EQ(std::get<std::string>(call.arguments[0]), "http://me:***@host/a@b");
  EXPECT_EQ(std::get<std::string>(call.arguments[1]), "http://host/c");
  EXPECT_EQ(call.message, "cannot reach me:***@host");
  EXPECT_THAT(call.texts, ElementsAre("http://me:***@host/x"));
}

TEST(RedactTest, LeavesWhatIsAppendedAlone) {
  JournalCall call;
  call.op = Op::kWritableFile_append;
  call.arguments = {std::string("s3://me:secret@h/f"),
                    std::string("http://you:other@h :secret@")};
  Redact(call);
  EXPECT_EQ(std::get<std::string>(call.arguments[0]), "s3://me:***@h/f");
  EXPECT_EQ(std::get<std::string>(call.arguments[1]),
            "http://you:other@h :secret@");
}

TEST(RedactTest, LeavesWhatHasNoPasswordAlone) {
  for (const std::string text :
       {"/home/me@host/x", "abfs://container@account/x", "s3://b/a:b@c",
        "http://host:80/x"}) {
    JournalCall call;
    call.op = Op::kFilesystem_stat;
    call.arguments = {text};
    Redact(call);
    EXPECT_EQ(std::get<std::string>(call.arguments[0]), text);
  }
}

}  // namespace
}  // namespace fsload
