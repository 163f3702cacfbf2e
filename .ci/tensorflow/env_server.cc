// TensorFlow as the host of a plugin: does what env_plugin.cc asks for through
// tensorflow::Env, on the socket that is its descriptor 3.
//
//   env_server PLUGIN
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env_wire.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/core/platform/env.h"

namespace {

struct Opened {
  std::unique_ptr<tensorflow::RandomAccessFile> reading;
  std::unique_ptr<tensorflow::WritableFile> writing;
  std::unique_ptr<tensorflow::ReadOnlyMemoryRegion> region;
};

tensorflow::Env* const env = tensorflow::Env::Default();
std::map<int64_t, Opened> opened;
int64_t next_file = 1;

int64_t Keep(Opened file) {
  opened.emplace(next_file, std::move(file));
  return next_file++;
}

void PutAll(const std::vector<std::string>& texts, Message& answer) {
  answer.Put(static_cast<int64_t>(texts.size()));
  for (const std::string& text : texts) answer.Put(text);
}

// Does `request`, and puts its results after the status.
absl::Status Do(Request request, Message& asked, Message& results) {
  Opened file;
  absl::Status status;
  std::vector<std::string> names;
  switch (request) {
    case Request::kNewRandomAccessFile:
      status = env->NewRandomAccessFile(asked.TakeText(), &file.reading);
      if (status.ok()) results.Put(Keep(std::move(file)));
      return status;
    case Request::kRead: {
      Opened& self = opened[asked.TakeNumber()];
      const int64_t offset = asked.TakeNumber();
      std::string buffer(static_cast<size_t>(asked.TakeNumber()), '\0');
      absl::string_view read;
      status = self.reading->Read(static_cast<uint64_t>(offset), read,
                                  absl::MakeSpan(buffer.data(), buffer.size()));
      results.Put(std::string(read));
      return status;
    }
    case Request::kNewWritableFile:
      status = env->NewWritableFile(asked.TakeText(), &file.writing);
      if (status.ok()) results.Put(Keep(std::move(file)));
      return status;
    case Request::kNewAppendableFile:
      status = env->NewAppendableFile(asked.TakeText(), &file.writing);
      if (status.ok()) results.Put(Keep(std::move(file)));
      return status;
    case Request::kAppend: {
      Opened& self = opened[asked.TakeNumber()];
      return self.writing->Append(asked.TakeText());
    }
    case Request::kTell: {
      int64_t position = -1;
      status = opened[asked.TakeNumber()].writing->Tell(&position);
      results.Put(position);
      return status;
    }
    case Request::kFlush:
      return opened[asked.TakeNumber()].writing->Flush();
    case Request::kSync:
      return opened[asked.TakeNumber()].writing->Sync();
    case Request::kClose:
      return opened[asked.TakeNumber()].writing->Close();
    case Request::kNewReadOnlyMemoryRegion:
      status =
          env->NewReadOnlyMemoryRegionFromFile(asked.TakeText(), &file.region);
      if (status.ok()) {
        results.Put(std::string(static_cast<const char*>(file.region->data()),
                                file.region->length()));
      }
      return status;
    case Request::kForget:
      opened.erase(asked.TakeNumber());
      return absl::OkStatus();
    case Request::kFileExists:
      return env->FileExists(asked.TakeText());
    case Request::kFilesExist: {
      std::vector<std::string> files(static_cast<size_t>(asked.TakeNumber()));
      for (std::string& each : files) each = asked.TakeText();
      std::vector<absl::Status> statuses;
      results.Put(env->FilesExist(files, &statuses));
      statuses.resize(files.size());
      for (const absl::Status& each : statuses) {
        results.Put(static_cast<int64_t>(each.code()))
            .Put(std::string(each.message()));
      }
      return status;
    }
    case Request::kGetChildren:
      status = env->GetChildren(asked.TakeText(), &names);
      PutAll(names, results);
      return status;
    case Request::kGetMatchingPaths:
      status = env->GetMatchingPaths(asked.TakeText(), &names);
      PutAll(names, results);
      return status;
    case Request::kDeleteFile:
      return env->DeleteFile(asked.TakeText());
    case Request::kCreateDir:
      return env->CreateDir(asked.TakeText());
    case Request::kRecursivelyCreateDir:
      return env->RecursivelyCreateDir(asked.TakeText());
    case Request::kDeleteDir:
      return env->DeleteDir(asked.TakeText());
    case Request::kDeleteRecursively: {
      int64_t files = 0;
      int64_t directories = 0;
      status = env->DeleteRecursively(asked.TakeText(), &files, &directories);
      results.Put(files).Put(directories);
      return status;
    }
    case Request::kStat: {
      tensorflow::FileStatistics found;
      status = env->Stat(asked.TakeText(), &found);
      results.Put(found.length).Put(found.mtime_nsec).Put(found.is_directory);
      return status;
    }
    case Request::kIsDirectory:
      return env->IsDirectory(asked.TakeText());
    case Request::kGetFileSize: {
      tensorflow::uint64 size = 0;
      status = env->GetFileSize(asked.TakeText(), &size);
      results.Put(static_cast<int64_t>(size));
      return status;
    }
    case Request::kRenameFile: {
      const std::string source = asked.TakeText();
      return env->RenameFile(source, asked.TakeText());
    }
    case Request::kCopyFile: {
      const std::string source = asked.TakeText();
      return env->CopyFile(source, asked.TakeText());
    }
  }
  return absl::InternalError("no such request");
}

}  // namespace

int main(int argc, char** argv) {
  TF_Status* const loaded = TF_NewStatus();
  TF_RegisterFilesystemPlugin(argc > 1 ? argv[1] : "", loaded);
  if (TF_GetCode(loaded) != TF_OK) {
    std::fprintf(stderr, "env_server: %s\n", TF_Message(loaded));
    return 1;
  }
  TF_DeleteStatus(loaded);
  Message asked;
  constexpr int kSocket = 3;
  while (asked.Receive(kSocket)) {
    Message results;
    const auto request = static_cast<Request>(asked.TakeNumber());
    const absl::Status status = Do(request, asked, results);
    Message answer;
    answer.Put(static_cast<int64_t>(status.code()))
        .Put(std::string(status.message()));
    if (!answer.Send(kSocket) || !results.Send(kSocket)) return 1;
  }
  return 0;
}
