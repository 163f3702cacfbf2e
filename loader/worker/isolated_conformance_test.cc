// The conformance suite on correct plugins in processes of their own: nothing
// that the contract requires may get lost between the processes.
#include <gtest/gtest.h>

#include <string>

#include "fsload/conformance_gtest.h"

namespace fsload {
namespace {

void Register(const char* plugin, const char* scheme, bool on_disk) {
  ConformanceTests tests;
  tests.plugin = std::string("testdata/") + plugin + ".so";
  tests.root = std::string(scheme) + "://" +
               (on_disk ? ::testing::TempDir() : "/") + "isolated_" + plugin;
  tests.isolation.emplace();
  RegisterConformanceTests(plugin, tests);
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  fsload::Register("posix", "posix", /*on_disk=*/true);
  fsload::Register("memory", "memory", /*on_disk=*/false);
  fsload::Register("memory_224", "memory", /*on_disk=*/false);
  fsload::Register("memory_176", "memory", /*on_disk=*/false);
  fsload::Register("minimal", "minimal", /*on_disk=*/true);
  fsload::Register("c_minimal", "cminimal", /*on_disk=*/true);
  return RUN_ALL_TESTS();
}
