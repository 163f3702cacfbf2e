// watching PLUGIN FILE, as in: watching posix.so posix:///etc/hostname
//
// Watches the calls of a plugin: a log of each, percentiles, and metrics for
// Prometheus.
#include <iostream>
#include <string>

#include "fsload/by_uri.h"
#include "fsload/call_histogram.h"
#include "fsload/call_log.h"
#include "fsload/open_metrics.h"
#include "fsload/plugin_loader.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  fsload::CallHistogram histogram;
  fsload::CallLog log(
      [](std::string_view line) { std::cerr << std::string(line) + "\n"; });
  fsload::OpObserverList both({&histogram, &log});

  fsload::LoadOptions options;
  options.observer = &both;
  absl::Status status = fsload::LoadPlugin(argv[1], options).status;
  for (int i = 0; i < 100 && status.ok(); ++i) {
    const auto file = fsload::NewRandomAccessFile(argv[2]);
    char text[80];
    status = file.ok() ? (*file)->Read(0, sizeof(text), text).status()
                       : file.status();
  }
  status.Update(fsload::SchemeRegistry::Default().RetireAll());

  const fsload::CallStatistics calls = histogram.Snapshot();
  const fsload::Distribution reads =
      calls.NanosecondsOf(fsload::Op::kRandomAccessFile_read);
  std::cout << "# " << reads.count() << " reads, half of them within "
            << reads.Percentile(50) << " ns, 99% within "
            << reads.Percentile(99) << " ns\n";
  const auto text =
      fsload::OpenMetricsText({{{{"program", "watching"}}, calls}});
  status.Update(text.status());
  if (text.ok()) std::cout << *text;
  if (!status.ok()) std::cerr << status.ToString() << "\n";
  return status.ok() ? 0 : 1;
}
