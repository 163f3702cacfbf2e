// wrapping PLUGIN DIRECTORY, as in: wrapping posix.so posix:///srv/data
#include <iostream>
#include <memory>
#include <utility>

#include "fsload/by_uri.h"
#include "fsload/faulty.h"
#include "fsload/metered.h"
#include "fsload/plugin_loader.h"
#include "fsload/read_only.h"
#include "fsload/retrying.h"
#include "fsload/subtree.h"

// Registers the directory as "data:///", without a way out of it, and as
// "frozen:///", without changes. Calls of the plugin are counted.
absl::Status Provide(const std::string& directory,
                     const std::shared_ptr<fsload::OpMeter>& meter) {
  auto& registry = fsload::SchemeRegistry::Default();
  auto plugin = registry.Resolve(directory);
  if (!plugin.ok()) return plugin.status();
  auto patient = fsload::Metered(*plugin, meter);
  if (patient.ok()) patient = fsload::Retrying(*patient);
  if (!patient.ok()) return patient.status();

  auto data = fsload::Subtree(*patient, directory, "data");
  auto frozen = fsload::Subtree(*patient, directory, "frozen");
  if (frozen.ok()) frozen = fsload::ReadOnly(*frozen);
  if (!data.ok()) return data.status();
  if (!frozen.ok()) return frozen.status();
  return registry.Register({*data, *frozen});
}

// A disk that fills up in the middle of the second append to a checkpoint.
absl::StatusOr<fsload::FileSystemPtr> FullDisk(fsload::FileSystemPtr plugin) {
  fsload::FaultRule full;
  full.op = fsload::Op::kWritableFile_append;
  full.path = "*.ckpt";
  full.nth = 2;
  full.max_bytes = 3;
  full.code = absl::StatusCode::kResourceExhausted;
  full.message = "disk full";
  return fsload::Faulty(std::move(plugin), {{full}, /*seed=*/1});
}

void Print(const absl::Status& status) {
  std::cout << status.ToString() << "\n";
}

absl::Status Use() {
  auto file = fsload::NewWritableFile("data:///a");
  if (!file.ok()) return file.status();
  absl::Status status = (*file)->Append("hello\n");
  status.Update((*file)->Close());
  Print(fsload::FileExists("frozen:///a"));
  Print(fsload::DeleteFile("frozen:///a"));
  Print(fsload::DeleteFile("data:///../a"));

  auto data = fsload::SchemeRegistry::Default().Find("data");
  if (data.ok()) data = FullDisk(*data);
  if (!data.ok()) return data.status();
  auto checkpoint = (*data)->NewWritableFile("data:///b.ckpt");
  if (!checkpoint.ok()) return checkpoint.status();
  Print((*checkpoint)->Append("12345"));
  Print((*checkpoint)->Append("67890"));
  return status;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto meter = std::make_shared<fsload::OpMeter>();
  absl::Status status = fsload::LoadPlugin(argv[1]).status;
  if (status.ok()) status = Provide(argv[2], meter);
  if (status.ok()) status = Use();
  const auto written = meter->Totals(fsload::Op::kWritableFile_append);
  std::cout << written.calls << " appends, " << written.bytes << " bytes\n";
  status.Update(fsload::SchemeRegistry::Default().RetireAll());  // runs cleanup
  if (!status.ok()) std::cerr << status.ToString() << "\n";
  return status.ok() ? 0 : 1;
}
