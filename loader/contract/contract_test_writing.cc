// Files opened for writing.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loader/contract/contract_test.h"

namespace fsload {
namespace {

using Opener = absl::StatusOr<std::unique_ptr<WritableFile>> (FileSystem::*)(
    std::string_view) const;

void WritesWhatIsAppended(Contract& t) {
  const auto file = t.fs.NewWritableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Append("one "), absl::OkStatus());
  EXPECT_EQ((*file)->Append(""), absl::OkStatus());
  EXPECT_EQ((*file)->Append(std::string("t\0wo", 4)), absl::OkStatus());
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
  EXPECT_EQ(t.Contents("file"), std::string("one t\0wo", 8));
}

void WritesMoreThanAMegabyteAtOnce(Contract& t) {
  const std::string contents((1 << 20) + 1, 'x');
  const auto file = t.fs.NewWritableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Append(contents), absl::OkStatus());
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
  EXPECT_TRUE(t.Contents("file") == contents);
}

void ANewFileReplacesTheOldOne(Contract& t) {
  t.Put("file", "a long text");
  const auto file = t.fs.NewWritableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Append("b"), absl::OkStatus());
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
  EXPECT_EQ(t.Contents("file"), "b");
}

void ANewFileIsThereWithoutAnAppend(Contract& t) {
  const auto file = t.fs.NewWritableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
  EXPECT_EQ(t.Contents("file"), "");
}

void AppendsBehindWhatIsThere(Contract& t) {
  t.Put("file", "old ");
  const auto file = t.fs.NewAppendableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Append("new"), absl::OkStatus());
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
  EXPECT_EQ(t.Contents("file"), "old new");
}

void CreatesAMissingFileToAppendTo(Contract& t) {
  const auto file = t.fs.NewAppendableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(t.Contents("file"), "");
  EXPECT_EQ((*file)->Append("a"), absl::OkStatus());
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
  EXPECT_EQ(t.Contents("file"), "a");
}

void TellsThePositionAgainAndAgain(Contract& t) {
  const auto file = t.fs.NewWritableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(*(*file)->Tell(), 0);
  EXPECT_EQ((*file)->Append("12345"), absl::OkStatus());
  EXPECT_EQ(*(*file)->Tell(), 5);
  EXPECT_EQ(*(*file)->Tell(), 5);
}

void TellsTheEndAfterReopening(Contract& t) {
  t.Put("file", "12345");
  const auto file = t.fs.NewAppendableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(*(*file)->Tell(), 5);
  EXPECT_EQ((*file)->Append("67"), absl::OkStatus());
  EXPECT_EQ(*(*file)->Tell(), 7);
}

void WhatIsFlushedCanBeRead(Contract& t) {
  const auto file = t.fs.NewWritableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Append("a"), absl::OkStatus());
  EXPECT_EQ((*file)->Flush(), absl::OkStatus());
  EXPECT_EQ(t.Contents("file"), "a");
}

void WhatIsSyncedCanBeRead(Contract& t) {
  const auto file = t.fs.NewWritableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Append("a"), absl::OkStatus());
  EXPECT_EQ((*file)->Sync(), absl::OkStatus());
  EXPECT_EQ(t.Contents("file"), "a");
}

void AClosedFileTakesNoCalls(Contract& t) {
  const auto file = t.fs.NewWritableFile(t.Uri("file"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
  ExpectError((*file)->Append("a"), kFailed, "append(" + t.Uri("file") + ")");
  ExpectError((*file)->Tell().status(), kFailed, "tell(");
  ExpectError((*file)->Flush(), kFailed, "flush(");
  ExpectError((*file)->Sync(), kFailed, "sync(");
  ExpectError((*file)->Close(), kFailed, "the file was closed before");
}

void ADestroyedFileIsWhole(Contract& t) {
  {
    const auto file = t.fs.NewWritableFile(t.Uri("file"));
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ((*file)->Append("contents"), absl::OkStatus());
  }
  EXPECT_EQ(t.Contents("file"), "contents");
}

// Both openers fail alike, and change nothing.
void ExpectOpenerFailures(Contract& t, Opener open) {
  t.PutDir("dir");
  t.Put("file", "a");
  const auto status = [&](const char* name) {
    return (t.fs.*open)(t.Uri(name)).status();
  };
  ExpectError(status("none/file"), kNotFound, t.Uri("none/file"));
  ExpectError(status("dir"), kFailed, t.Uri("dir"));
  ExpectError(status("file/below"), kFailed, t.Uri("file/below"));
  EXPECT_EQ(t.Names(), (std::vector<std::string>{"dir", "file"}));
  EXPECT_EQ(t.Contents("file"), "a");
}

void AFileIsWrittenOnlyWhereOneCanBe(Contract& t) {
  ExpectOpenerFailures(t, &FileSystem::NewWritableFile);
}

void AFileIsAppendedToOnlyWhereOneCanBe(Contract& t) {
  ExpectOpenerFailures(t, &FileSystem::NewAppendableFile);
}

}  // namespace

std::vector<Clause> WritingClauses() {
  return {
      FSLOAD_CLAUSE(WritesWhatIsAppended, kNew, kAppend, kClose),
      FSLOAD_CLAUSE(WritesMoreThanAMegabyteAtOnce, kNew, kAppend, kClose),
      FSLOAD_CLAUSE(ANewFileReplacesTheOldOne, kNew, kAppend, kClose),
      FSLOAD_CLAUSE(ANewFileIsThereWithoutAnAppend, kNew, kClose),
      FSLOAD_CLAUSE(AppendsBehindWhatIsThere, kAppendable, kAppend, kClose),
      FSLOAD_CLAUSE(CreatesAMissingFileToAppendTo, kAppendable, kAppend,
                    kClose),
      FSLOAD_CLAUSE(TellsThePositionAgainAndAgain, kNew, kAppend, kTell),
      FSLOAD_CLAUSE(TellsTheEndAfterReopening, kAppendable, kAppend, kTell),
      FSLOAD_CLAUSE(WhatIsFlushedCanBeRead, kNew, kAppend, kFlush),
      FSLOAD_CLAUSE(WhatIsSyncedCanBeRead, kNew, kAppend, kSync),
      FSLOAD_CLAUSE(AClosedFileTakesNoCalls, kNew, kAppend, kTell, kClose),
      FSLOAD_CLAUSE(ADestroyedFileIsWhole, kNew, kAppend),
      FSLOAD_CLAUSE(AFileIsWrittenOnlyWhereOneCanBe, kNew),
      FSLOAD_CLAUSE(AFileIsAppendedToOnlyWhereOneCanBe, kAppendable),
  };
}

}  // namespace fsload
