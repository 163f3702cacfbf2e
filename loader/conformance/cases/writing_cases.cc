// FSP5xx: files opened for writing.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loader/conformance/cases/cases.h"

namespace fsload::conformance {
namespace {

void WritesWhatIsAppended(Trial& t) {
  const auto file = t.Create("file");
  if (!t.Ok(file)) return;
  t.Ok((*file)->Append("one "));
  t.Ok((*file)->Append(""));
  t.Ok((*file)->Append(std::string("t\0wo", 4)));
  t.Ok((*file)->Close());
  t.HasContents("file", std::string("one t\0wo", 8));
}

using Opener =
    absl::StatusOr<std::unique_ptr<TrialWriter>> (Trial::*)(std::string_view);

// Opens a file, appends `text` and closes it, then expects `contents`.
void Appends(Trial& t, Opener open, const char* name, std::string_view text,
             std::string_view contents) {
  const auto file = (t.*open)(name);
  if (!t.Ok(file)) return;
  t.Ok((*file)->Append(text));
  t.Ok((*file)->Close());
  // Before it is cleaned up.
  t.HasContents(name, contents);
}

void WritesMegabytesAtOnce(Trial& t) {
  const std::string contents = PatternBytes((5 << 20) + 3);
  Appends(t, &Trial::Create, "file", contents, contents);
}

void WritesInParts(Trial& t, const std::string& contents, size_t part) {
  const auto file = t.Create("file");
  if (!t.Ok(file)) return;
  for (size_t at = 0; at < contents.size(); at += part) {
    if (!t.Ok((*file)->Append(contents.substr(at, part)))) return;
  }
  t.Ok((*file)->Close());
  t.HasContents("file", contents);
}

void WritesLargeFiles(Trial& t) {
  // Not a multiple of any part that a store may cut it into.
  WritesInParts(t, PatternBytes((size_t{100} << 20) + 1), size_t{8} << 20);
}

void ANewFileReplacesTheOldOne(Trial& t) {
  if (!t.Put("file", "a long text")) return;
  Appends(t, &Trial::Create, "file", "b", "b");
}

void ANewFileIsThereWithoutAnAppend(Trial& t) {
  const auto file = t.Create("file");
  if (!t.Ok(file)) return;
  t.Ok((*file)->Close());
  t.HasContents("file", "");
  t.HasNames("", {"file"});
}

void AppendsBehindWhatIsThere(Trial& t) {
  if (!t.Put("file", "old ")) return;
  for (const char* part : {"new", ", newer"}) {
    const auto file = t.OpenToAppend("file");
    if (!t.Ok(file)) return;
    t.Ok((*file)->Append(part));
    t.Ok((*file)->Close());
  }
  t.HasContents("file", "old new, newer");
}

void CleaningUpClosesNothingElse(Trial& t) {
  auto first = t.Create("first");
  if (!t.Ok(first) || !t.Ok((*first)->Close())) return;
  // It may have the descriptor that the first had.
  const auto second = t.Create("second");
  if (!t.Ok(second)) return;
  first->reset();
  t.Ok((*second)->Append("contents"));
  t.Ok((*second)->Close());
  t.HasContents("second", "contents");
}

void AppendsToARenamedFile(Trial& t) {
  if (!t.Put("file", "old ") || !t.Ok(t.RenameFile("file", "moved"))) return;
  Appends(t, &Trial::OpenToAppend, "moved", "new", "old new");
}

void AppendsToLargeFiles(Trial& t) {
  const std::string contents = PatternBytes((6 << 20) + 5);
  if (!t.Put("file", contents)) return;
  Appends(t, &Trial::OpenToAppend, "file", "tail", contents + "tail");
}

void TellsThePositionAgainAndAgain(Trial& t) {
  const auto file = t.Create("file");
  if (!t.Ok(file)) return;
  t.Yields((*file)->Tell(), 0);
  t.Ok((*file)->Append("12345"));
  t.Yields((*file)->Tell(), 5);
  t.Yields((*file)->Tell(), 5);
  t.Ok(
      (*file)->Append(std::string("\0"
                                  "7",
                                  2)));
  t.Yields((*file)->Tell(), 7);
  t.Ok((*file)->Close());
  t.HasContents("file", std::string("12345\0"
                                    "7",
                                    7));
}

void TellsTheEndAfterReopening(Trial& t) {
  if (!t.Put("file", "12345")) return;
  const auto file = t.OpenToAppend("file");
  if (!t.Ok(file)) return;
  t.Yields((*file)->Tell(), 5);
  t.Ok((*file)->Append("67"));
  t.Yields((*file)->Tell(), 7);
  t.Ok((*file)->Close());
}

void CanBeReadAfter(Trial& t, absl::Status (TrialWriter::*store)()) {
  const auto file = t.Create("file");
  if (!t.Ok(file)) return;
  t.Ok((*file)->Append("a"));
  t.Ok(((**file).*store)());
  t.HasContents("file", "a");
  t.Ok((*file)->Close());
}

void FlushingLosesNothing(Trial& t) {
  const auto file = t.Create("file");
  if (!t.Ok(file)) return;
  const bool flushes = !t.setting().raw || t.Has(kFlush);
  const bool syncs = !t.setting().raw || t.Has(kSync);
  t.Ok((*file)->Append("one "));
  if (flushes) t.Ok((*file)->Flush());
  t.Ok((*file)->Append("two "));
  if (syncs) t.Ok((*file)->Sync());
  if (flushes) t.Ok((*file)->Flush());
  t.Ok((*file)->Append("three"));
  t.Ok((*file)->Close());
  t.HasContents("file", "one two three");
}

void WrittenFilesAreIndependent(Trial& t) {
  const auto a = t.Create("a");
  const auto b = t.Create("b");
  if (!t.Ok(a) || !t.Ok(b)) return;
  t.Ok((*a)->Append("a1 "));
  t.Ok((*b)->Append("b1 "));
  t.Ok((*a)->Append("a2"));
  t.Ok((*b)->Append("b2"));
  t.Ok((*a)->Close());
  t.HasContents("a", "a1 a2");
  t.Ok((*b)->Append(" b3"));
  t.Ok((*b)->Close());
  t.HasContents("b", "b1 b2 b3");
}

void OpensOnlyWhereAFileCanBe(Trial& t, Opener open) {
  if (!t.PutDir("dir") || !t.Put("file", "a")) return;
  t.Fails((t.*open)("none/file"), {kNotFound});
  t.Fails((t.*open)("dir"), {kFailed});
  t.Fails((t.*open)("file/below"), {kFailed});
  t.HasNames("", {"dir", "file"});
  t.HasContents("file", "a");
}

}  // namespace

std::vector<Case> WritingCases() {
  const std::vector<Op> writes = {kNew, kAppend, kClose};
  const std::vector<Op> appends = {kAppendable, kAppend, kClose};
  return {
      {501, "write.what-is-appended",
       "a file has the bytes that were appended, whatever they are",
       "L248-L253", 1, kPlain, writes, WritesWhatIsAppended,
       "Data that was written is lost.",
       "Write all n bytes; a buffer is not a null-terminated string."},
      {502, "write.megabytes-at-once", "one append may write megabytes",
       "L255-L256", 2, kPlain, writes, WritesMegabytesAtOnce,
       "Checkpoints are written in large parts.",
       "Write in a loop until all bytes are written."},
      {503, "write.many-small-parts", "a thousand small appends are all kept",
       "L255-L256", 2, kPlain, writes,
       [](Trial& t) { WritesInParts(t, PatternBytes(17'000), 17); },
       "Data is lost where an internal buffer ends.",
       "Pass a buffer on before it overflows."},
      {504, "write.large-file", "a file of 100 MiB and a byte is kept whole",
       "L255-L256", 3, kPlain, writes, WritesLargeFiles,
       "Stores cut large files into parts, and parts are lost.",
       "Test with sizes that are not multiples of a part."},
      {505, "write.replaces-the-old-file",
       "new_writable_file replaces a file with an empty one", "L364-L370", 1,
       kPlain, writes, ANewFileReplacesTheOldOne,
       "The tail of the old contents would follow the new ones.",
       "Truncate the file when it is opened."},
      {506, "write.empty-file", "a file without an append exists and is empty",
       "L364-L370", 2, kPlain, Calls(kNew, kClose),
       ANewFileIsThereWithoutAnAppend,
       "Empty files are markers, such as _SUCCESS.",
       "Create the file even if there is nothing to write."},
      {507, "write.closed-file-is-whole",
       "after close the contents can be read, before cleanup", "L289-L295", 2,
       kPlain, writes,
       [](Trial& t) {
         Appends(t, &Trial::Create, "file", "contents", "contents");
       },
       "Hosts clean up at any time after close.",
       "Write out all buffers in close, not in cleanup."},
      {508, "write.files-are-independent",
       "several open files do not influence each other", "L240-L246", 2, kPlain,
       writes, WrittenFilesAreIndependent,
       "Contents of one file would appear in another.",
       "Keep all state in the wrapper's pointer, none in globals."},
      {509, "write.flushing-loses-nothing",
       "flush and sync between appends change no contents", "L273-L287", 2,
       kPlain, writes, FlushingLosesNothing,
       "Programs flush after each record.",
       "Do not upload or reset the buffer twice."},
      {510, "write.only-where-a-file-can-be",
       "new_writable_file fails for a missing parent, a directory, and below "
       "a file",
       "L371-L375", 2, kNotForStores, Calls(kNew),
       [](Trial& t) { OpensOnlyWhereAFileCanBe(t, &Trial::Create); },
       "Files would appear where nobody looks for them.",
       "NOT_FOUND for a missing parent, FAILED_PRECONDITION for the others."},
      {511, "write.cleanup-closes-nothing-else",
       "cleanup after close leaves other open files alone", "L240-L246", 2,
       kPlain, Calls(kNew, kAppend, kClose), CleaningUpClosesNothingElse,
       "A descriptor that is closed twice is another file's by then.",
       "Remember in close that the file is closed."},
      {521, "append.behind-what-is-there",
       "new_appendable_file keeps the old contents and appends to them",
       "L382-L388", 2, kPlain, appends, AppendsBehindWhatIsThere,
       "Logs are appended to: the old lines would be lost.",
       "Open at the end; leave the operation null if the store cannot."},
      {522, "append.to-large-files", "a file of 6 MiB is appended to",
       "L382-L388", 3, kPlain, appends, AppendsToLargeFiles,
       "Stores copy the old contents, and lose parts of them.",
       "Compare the length of what was copied."},
      {523, "append.creates-a-missing-file",
       "new_appendable_file creates a file that is missing", "L382-L388", 2,
       kPlain, appends,
       [](Trial& t) { Appends(t, &Trial::OpenToAppend, "file", "a", "a"); },
       "The first line of a log could not be written.", "Create the file."},
      {524, "append.only-where-a-file-can-be",
       "new_appendable_file fails where new_writable_file does", "L389-L393", 2,
       kNotForStores, Calls(kAppendable),
       [](Trial& t) { OpensOnlyWhereAFileCanBe(t, &Trial::OpenToAppend); },
       "Files would appear where nobody looks for them.",
       "NOT_FOUND for a missing parent, FAILED_PRECONDITION for the others."},
      {525, "append.to-a-renamed-file",
       "a renamed file keeps its contents when it is appended to", "L382-L388",
       2, kPlain, Calls(kRename, kAppendable, kAppend, kClose),
       AppendsToARenamedFile, "Logs are renamed and written on.",
       "Look the file up by the path it has now."},
      {531, "tell.is-the-position",
       "tell gives the number of bytes written, each time it is called",
       "L263-L266", 2, kPlain, Calls(kNew, kAppend, kTell, kClose),
       TellsThePositionAgainAndAgain,
       "Formats such as TFRecord store positions.",
       "Count buffered bytes too, and change nothing."},
      {532, "tell.is-the-end-after-reopening",
       "tell of a file opened to append begins at its length", "L263-L266", 2,
       kPlain, Calls(kAppendable, kAppend, kTell, kClose),
       TellsTheEndAfterReopening,
       "Positions would be wrong by the length of what was there.",
       "Begin with the length of the file."},
      {541, "flush.can-be-read", "what was flushed can be read", "L273-L279", 2,
       kDisputed | kNotForStores | kNoDefaults, Calls(kNew, kAppend, kFlush),
       [](Trial& t) { CanBeReadAfter(t, &TrialWriter::Flush); },
       "Others follow a log while it is written. (Line 275 lets a plugin keep "
       "a buffer.)",
       "Pass buffers on to the file system."},
      {542, "sync.can-be-read", "what was synced can be read", "L281-L287", 2,
       kNotForStores | kNoDefaults, Calls(kNew, kAppend, kSync),
       [](Trial& t) { CanBeReadAfter(t, &TrialWriter::Sync); },
       "sync promises that data survives a crash.",
       "Write out buffers before fsync."},
  };
}

}  // namespace fsload::conformance
