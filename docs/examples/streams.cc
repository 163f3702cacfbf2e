// streams PLUGIN DIRECTORY, as in: streams posix.so posix:///tmp
#include <iostream>

#include "fsload/buffered_reader.h"
#include "fsload/by_uri.h"
#include "fsload/file_streams.h"
#include "fsload/plugin_loader.h"
#include "fsload/read_ranges.h"
#include "fsload/whole_file.h"

// Writes lines with operator<<; the file is there once it is closed.
absl::Status WriteLog(const std::string& uri) {
  auto out = fsload::OutputFileStream::Open(uri);
  if (!out.ok()) return out.status();
  for (int i = 0; i < 1000; ++i) **out << "event " << i << '\n';
  return (*out)->Close();
}

// Counts the lines that contain `word`, and notes where each begins.
absl::Status FindLines(const std::string& uri, std::string_view word,
                       std::vector<fsload::ByteRange>& found) {
  auto in = fsload::BufferedReader::Open(uri);
  if (!in.ok()) return in.status();
  for (;;) {
    const uint64_t offset = (*in)->position();
    auto line = (*in)->ReadLine();
    if (!line.ok() || !line->has_value()) return line.status();
    if ((*line)->find(word) != std::string_view::npos) {
      found.push_back({offset, (*line)->size()});
    }
  }
}

absl::Status Run(const std::string& directory) {
  const std::string log = directory + "/log";
  absl::Status status = WriteLog(log);
  std::vector<fsload::ByteRange> ranges;
  if (status.ok()) status = FindLines(log, "77", ranges);
  if (!status.ok()) return status;

  // All of them at once: ranges that are near each other are one request.
  auto file = fsload::NewRandomAccessFile(log);
  if (!file.ok()) return file.status();
  auto lines = fsload::ReadRanges(**file, ranges);
  if (!lines.ok()) return lines.status();

  // A reader sees the old summary or the new one, and no part of it.
  const std::string summary = directory + "/summary";
  status = fsload::WriteFileAtomically(summary, std::to_string(lines->size()) +
                                                    " lines, the last is '" +
                                                    lines->back() + "'\n");
  if (!status.ok()) return status;
  auto text = fsload::ReadWholeFile(summary);
  if (text.ok()) std::cout << *text;
  return text.status();
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  absl::Status status = fsload::LoadPlugin(argv[1]).status;
  if (status.ok()) status = Run(argv[2]);
  status.Update(fsload::SchemeRegistry::Default().RetireAll());  // runs cleanup
  if (!status.ok()) std::cerr << status.ToString() << "\n";
  return status.ok() ? 0 : 1;
}
