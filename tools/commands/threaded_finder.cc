// threaded_finder URI: finds the plugin of the URI's scheme as a program does
// that has other threads already.
#include <future>
#include <iostream>

#include "fsload/find_or_load.h"
#include "fsload/scheme_registry.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::promise<void> end;
  auto other = std::async(std::launch::async, [&] { end.get_future().wait(); });
  absl::Status status = fsload::FindOrLoad(argv[1]).status();
  end.set_value();
  other.wait();
  status.Update(fsload::SchemeRegistry::Default().RetireAll());
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
