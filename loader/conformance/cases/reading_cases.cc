// FSP4xx: files opened for reading, and memory regions.
#include <string>
#include <vector>

#include "loader/conformance/cases/cases.h"

namespace fsload::conformance {
namespace {

void ReadsAtAnOffset(Trial& t) {
  if (!t.Put("file", "0123456789")) return;
  const auto file = t.Open("file");
  if (!t.Ok(file)) return;
  t.Yields((*file)->Read(0, 10), "0123456789");
  t.Yields((*file)->Read(3, 4), "3456");
  t.Yields((*file)->Read(9, 1), "9");
}

void IsShortOnlyAtTheEnd(Trial& t) {
  if (!t.Put("file", "0123456789")) return;
  const auto file = t.Open("file");
  if (!t.Ok(file)) return;
  t.Yields((*file)->Read(8, 100), "89");
  t.Yields((*file)->Read(0, 11), "0123456789");
}

void ReadsNothingBehindTheEnd(Trial& t) {
  if (!t.Put("file", "0123456789")) return;
  const auto file = t.Open("file");
  if (!t.Ok(file)) return;
  t.Yields((*file)->Read(10, 1), "");
  t.Yields((*file)->Read(11, 5), "");
  t.Yields((*file)->Read(uint64_t{1} << 32, 5), "");
  t.Yields((*file)->Read(uint64_t{1} << 62, 5), "");
  t.Yields((*file)->Read((uint64_t{1} << 63) + 1, 5), "");
}

void ReadsNothingIfNothingIsAskedFor(Trial& t) {
  if (!t.Put("file", "0123456789")) return;
  const auto file = t.Open("file");
  if (!t.Ok(file)) return;
  t.Yields((*file)->Read(0, 0), "");
  t.Yields((*file)->Read(10, 0), "");
}

void ReadsFilesOfAllSizes(Trial& t) {
  for (const size_t size : {0, 1, 2, 4095, 4096, 4097, 65536, (1 << 20) + 1}) {
    const std::string contents = PatternBytes(size);
    if (!t.Put("file", contents)) return;
    const auto file = t.Open("file");
    if (!t.Ok(file)) return;
    t.Yields((*file)->Read(0, size), contents);
    t.Yields((*file)->Read(0, size + 1), contents);
    if (size > 1) {
      t.Yields((*file)->Read(size - 1, 1), contents.substr(size - 1));
    }
  }
}

void ReadsInPieces(Trial& t) {
  const std::string contents = PatternBytes(300'001);
  if (!t.Put("file", contents)) return;
  const auto file = t.Open("file");
  if (!t.Ok(file)) return;
  for (const size_t piece : {65536, 4097, 100'000}) {
    std::string all;
    while (all.size() <= contents.size()) {
      const auto bytes = (*file)->Read(all.size(), piece);
      if (!t.Ok(bytes) || bytes->empty()) break;
      all += *bytes;
    }
    t.Expect(all == contents,
             "reading the file in pieces of " + std::to_string(piece) +
                 " bytes yields other contents than were written");
  }
  // Backwards: no position is kept between two reads.
  for (size_t offset = contents.size(); offset >= 50'000; offset -= 50'000) {
    t.Yields((*file)->Read(offset - 50'000, 50'000),
             contents.substr(offset - 50'000, 50'000));
  }
}

void OpeningWhatIsMissingIsNotFound(Trial& t) {
  if (!t.Put("file", "a")) return;
  t.Fails(t.Open("none"), {kNotFound});
  t.Fails(t.Open("FILE"), {kNotFound});
  t.Fails(t.Open("none/file"), {kNotFound});
}

void OpeningADirectoryFails(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("file", "a")) return;
  t.Fails(t.Open("dir"), {kFailed});
  t.Fails(t.Open("file/below"), {kFailed});
}

void AnOpenFileOutlivesItsName(Trial& t) {
  if (!t.Put("file", "contents")) return;
  const auto file = t.Open("file");
  if (!t.Ok(file) || !t.Ok(t.DeleteFile("file"))) return;
  t.Yields((*file)->Read(0, 8), "contents");
}

void SeesWhatReplacedTheFile(Trial& t) {
  const auto expect = [&](std::string_view contents) {
    const auto file = t.Open("file");
    if (t.Ok(file)) t.Yields((*file)->Read(0, 100), contents);
  };
  if (!t.Put("file", "old contents")) return;
  expect("old contents");
  if (!t.Put("file", "new")) return;
  expect("new");
  if (!t.Put("file", "newer contents")) return;
  expect("newer contents");
}

void OpenFilesAreIndependent(Trial& t) {
  if (!t.Put("a", "aaaaa") || !t.Put("b", "bbb")) return;
  const auto a = t.Open("a");
  const auto again = t.Open("a");
  if (!t.Ok(a) || !t.Ok(again)) return;
  {
    const auto b = t.Open("b");
    if (!t.Ok(b)) return;
    t.Yields((*a)->Read(0, 5), "aaaaa");
    t.Yields((*b)->Read(0, 5), "bbb");
    t.Yields((*again)->Read(4, 5), "a");
  }
  t.Yields((*a)->Read(1, 4), "aaaa");
}

void ARegionIsTheWholeFile(Trial& t) {
  for (const size_t size : {1, 4096, 10'001}) {
    const std::string contents = PatternBytes(size);
    if (!t.Put("file", contents)) return;
    const auto region = t.Map("file");
    if (!t.Ok(region)) return;
    const std::string_view found = (*region)->Contents();
    t.Expect(found == contents, "the region has " +
                                    std::to_string(found.size()) +
                                    " bytes, which are not the " +
                                    std::to_string(size) + " of the file");
  }
}

void RegionsAreIndependent(Trial& t) {
  if (!t.Put("a", "aaaaa") || !t.Put("b", "bbb")) return;
  const auto a = t.Map("a");
  const auto b = t.Map("b");
  if (!t.Ok(a) || !t.Ok(b)) return;
  t.Expect((*a)->Contents() == "aaaaa" && (*b)->Contents() == "bbb",
           "a region has other contents once another file is mapped");
}

void ARegionOutlivesItsName(Trial& t) {
  if (!t.Put("file", "contents")) return;
  const auto region = t.Map("file");
  if (!t.Ok(region) || !t.Ok(t.DeleteFile("file"))) return;
  if (!t.Put("file", "replaced")) return;
  t.Expect((*region)->Contents() == "contents",
           "a region changes when its file is deleted and written anew");
}

void ARegionOfAnEmptyFileIsInvalid(Trial& t) {
  if (!t.Put("empty", "")) return;
  t.Fails(t.Map("empty"), {kInvalid});
}

void ARegionOfNothingIsNotFound(Trial& t) {
  t.Fails(t.Map("none"), {kNotFound});
  t.Fails(t.Map("none/file"), {kNotFound});
}

void ARegionOfADirectoryFails(Trial& t) {
  if (!t.PutDir("dir") || !t.Put("file", "a")) return;
  t.Fails(t.Map("dir"), {kFailed});
  t.Fails(t.Map("file/below"), {kFailed});
}

void ReadsBehindFourGigabytes(Trial& t) {
  // A sparse file, which takes no room.
  constexpr uint64_t kFar = (uint64_t{1} << 32) + 7;
  if (!t.PutSparse("file", kFar, "far away")) return;
  const auto file = t.Open("file");
  if (!t.Ok(file)) return;
  t.Yields((*file)->Read(kFar, 100), "far away");
  t.Yields((*file)->Read(7, 8), std::string(8, '\0'));
  t.Yields((*file)->Read((uint64_t{1} << 31) + 1, 3), std::string(3, '\0'));
  t.Yields(t.GetFileSize("file"), static_cast<int64_t>(kFar + 8));
}

}  // namespace

std::vector<Case> ReadingCases() {
  return {
      {401, "read.at-an-offset", "read gives the n bytes at an offset",
       "L214-L217", 1, kPlain, Calls(kOpen, kRead), ReadsAtAnOffset,
       "Every reader gets wrong data.", "Read at the offset that is passed."},
      {402, "read.short-only-at-the-end",
       "read gives fewer than n bytes, with OUT_OF_RANGE, only at the end",
       "L227-L232", 1, kPlain, Calls(kOpen, kRead), IsShortOnlyAtTheEnd,
       "A host takes a short read for the end: the rest of the file is lost.",
       "Read in a loop until n bytes or the end, and set TF_OUT_OF_RANGE "
       "there."},
      {403, "read.nothing-behind-the-end",
       "read past the end gives no bytes and OUT_OF_RANGE", "L229-L230", 2,
       kPlain, Calls(kOpen, kRead), ReadsNothingBehindTheEnd,
       "A loop that reads until the end would never stop, or fail.",
       "Compare the offset, as 64 bits, with the length."},
      {404, "read.nothing-if-asked-for-nothing", "read of 0 bytes is OK",
       "L228", 2, kPlain, Calls(kOpen, kRead), ReadsNothingIfNothingIsAskedFor,
       "Exactly 0 of 0 bytes were read.", "Set TF_OK and return 0."},
      {405, "read.files-of-all-sizes",
       "files of 0 bytes to a megabyte, and around page boundaries, are read "
       "whole",
       "L225-L228", 2, kPlain, Calls(kOpen, kRead), ReadsFilesOfAllSizes,
       "Contents would be cut or changed at a size that no small test has.",
       "Look for off-by-one errors where a buffer or a page ends."},
      {406, "read.in-pieces",
       "pieces that are read one after the other make up the file", "L214-L217",
       2, kPlain, Calls(kOpen, kRead), ReadsInPieces,
       "Large files are read in pieces.",
       "Keep no position: use the offset that is passed."},
      {407, "read.missing-is-not-found",
       "opening what does not exist is NOT_FOUND", "L351-L352", 1, kPlain,
       Calls(kOpen), OpeningWhatIsMissingIsNotFound,
       "Callers create what is missing, and report everything else.",
       "Check for the file when it is opened, not when it is read."},
      {408, "read.directory-is-refused",
       "opening a directory, or below a file, is FAILED_PRECONDITION",
       "L353-L355", 2, kNotForStores, Calls(kOpen), OpeningADirectoryFails,
       "A caller could not tell a directory from a damaged file.",
       "Check what the path is when it is opened."},
      {409, "read.open-file-outlives-its-name",
       "a file that is open can be read after it was deleted", "L345-L350", 2,
       kNotForStores, Calls(kOpen, kRead, kDeleteFile),
       AnOpenFileOutlivesItsName, "Files are replaced while others read them.",
       "Keep the file itself open, not its path."},
      {410, "read.sees-what-replaced-the-file",
       "a file that is opened again has its new contents", "L345-L350", 2,
       kPlain, Calls(kOpen, kRead), SeesWhatReplacedTheFile,
       "Stale contents are read as if they were true.",
       "Drop what is cached of a file when it is opened."},
      {411, "read.files-are-independent",
       "several open files do not influence each other", "L206-L212", 2, kPlain,
       Calls(kOpen, kRead), OpenFilesAreIndependent,
       "Contents of one file would appear in another.",
       "Keep all state in the wrapper's pointer, none in globals."},
      {412, "read.behind-4-gib", "offsets and sizes have 64 bits", "L214-L217",
       4, kLocalFiles, Calls(kOpen, kRead, kSize), ReadsBehindFourGigabytes,
       "Large files would be read from the wrong place.",
       "Use uint64_t and off_t of 64 bits throughout."},
      {421, "region.is-the-whole-file", "a memory region is the whole file",
       "L400-L405", 2, kPlain, Calls(kRegion), ARegionIsTheWholeFile,
       "A model that is mapped would be damaged.",
       "Map or read all of it; its length is that of the file."},
      {422, "region.empty-file-is-invalid",
       "a memory region of an empty file is INVALID_ARGUMENT", "L410-L412", 2,
       kPlain, Calls(kRegion), ARegionOfAnEmptyFileIsInvalid,
       "mmap refuses a length of 0.", "Check the length first."},
      {423, "region.missing-is-not-found",
       "a memory region of what does not exist is NOT_FOUND", "L406-L407", 2,
       kPlain, Calls(kRegion), ARegionOfNothingIsNotFound,
       "Callers create what is missing.", "Open the file first."},
      {424, "region.directory-is-refused",
       "a memory region of a directory is FAILED_PRECONDITION", "L408-L409", 2,
       kNotForStores, Calls(kRegion), ARegionOfADirectoryFails,
       "A caller could not tell a directory from a damaged file.",
       "Check what the path is."},
      {425, "region.regions-are-independent",
       "several regions do not influence each other", "L310-L318", 2, kPlain,
       Calls(kRegion), RegionsAreIndependent,
       "Contents of one file would appear in another.",
       "Keep all state in the wrapper's pointer, none in globals."},
      {426, "region.outlives-its-name",
       "a region stays valid when its file is deleted and rewritten",
       "L400-L405", 2, kPlain, Calls(kRegion, kDeleteFile),
       ARegionOutlivesItsName, "A model that is in use would change.",
       "Map the file that is open, and look at its path no more."},
  };
}

}  // namespace fsload::conformance
