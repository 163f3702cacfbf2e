// The plugins of testdata/ that are right, with all of their operations and
// with each hidden in turn that has a default.
#include "fsload/conformance_gtest.h"

#include <gtest/gtest.h>

#include <string>

namespace fsload {
namespace {

void Register(const char* plugin, const char* scheme, bool on_disk) {
  ConformanceTests tests;
  tests.plugin = std::string("testdata/") + plugin + ".so";
  tests.root = std::string(scheme) + "://" +
               (on_disk ? ::testing::TempDir() : "/") + "conformance_" + plugin;
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
