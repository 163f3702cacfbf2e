// The tables that Register hands over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compat/plugin_sdk/all_operations.h"

namespace fsload::plugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The numbers of the slots that are not null.
template <typename Ops>
std::vector<size_t> Present(const Ops& ops) {
  constexpr size_t kSlots = sizeof(Ops) / sizeof(void*);
  void* slots[kSlots];
  std::memcpy(slots, &ops, sizeof(ops));
  std::vector<size_t> present;
  for (size_t i = 0; i < kSlots; ++i) {
    if (slots[i] != nullptr) present.push_back(i);
  }
  return present;
}

struct Nothing {};

struct MinimalReader {
  int64_t Read(uint64_t, size_t, char*) { return 0; }
};
struct MinimalWriter {
  size_t Append(const char*, size_t n) { return n; }
  void Close() {}
};
struct Readable {
  std::unique_ptr<MinimalReader> NewRandomAccessFile(const std::string&) {
    return std::make_unique<MinimalReader>();
  }
};
struct Appendable {
  std::unique_ptr<MinimalWriter> NewAppendableFile(const std::string&) {
    return std::make_unique<MinimalWriter>();
  }
};
// A region may be any class with data() and size().
struct Mappable {
  std::unique_ptr<const std::string> NewReadOnlyMemoryRegionFromFile(
      const std::string& path) {
    return std::make_unique<const std::string>(path == "/empty" ? "" : path);
  }
};
// What is inherited counts, and what is virtual, overloaded, static or a
// template.
class Inheriting : public Readable {
 public:
  virtual ~Inheriting() = default;
  virtual void CreateDir(std::string) {}
  void DeleteFile(const std::string&) {}
  void DeleteFile(int) {}
  static void DeleteDir(const std::string&) {}
  template <typename Path>
  bool PathExists(const Path&) {
    return true;
  }
};

TEST(Tables, HaveEachOperationThatTheClassHas) {
  AllHosts host;
  EXPECT_EQ(Present(host.ops()).size(), 33u);
  EXPECT_EQ(Present(*host.entry().random_access_file_ops).size(), 2u);
  EXPECT_EQ(Present(*host.entry().writable_file_ops).size(), 6u);
  EXPECT_EQ(Present(*host.entry().read_only_memory_region_ops).size(), 3u);
}

TEST(Tables, LackWhatTheClassLacks) {
  TestHost<Nothing> host;
  EXPECT_THAT(Present(host.ops()), ElementsAre(0, 1));  // init and cleanup
  EXPECT_EQ(host.entry().random_access_file_ops, nullptr);
  EXPECT_EQ(host.entry().writable_file_ops, nullptr);
  EXPECT_EQ(host.entry().read_only_memory_region_ops, nullptr);
}

TEST(Tables, OfFilesLackWhatTheirClassLacks) {
  TestHost<Appendable> host;
  EXPECT_THAT(Present(host.ops()), ElementsAre(0, 1, 4));
  // cleanup, append and close
  EXPECT_THAT(Present(*host.entry().writable_file_ops), ElementsAre(0, 1, 5));
  EXPECT_EQ(host.entry().random_access_file_ops, nullptr);
}

TEST(Tables, HaveWhatIsInheritedVirtualOverloadedStaticOrATemplate) {
  TestHost<Inheriting> host;
  EXPECT_THAT(Present(host.ops()), ElementsAre(0, 1, 2, 6, 8, 9, 13));
}

TEST(Tables, StateTheSizesAndVersionsOfTheHeader) {
  TestHost<Nothing> host;
  TF_FilesystemPluginOps expected = {};
  TF_SetFilesystemVersionMetadata(&expected);
  const TF_FilesystemPluginOps& entry = host.entry();
  EXPECT_EQ(entry.filesystem_ops_size, 264u);
  EXPECT_EQ(entry.filesystem_ops_abi, expected.filesystem_ops_abi);
  EXPECT_EQ(entry.filesystem_ops_api, expected.filesystem_ops_api);
  EXPECT_EQ(entry.random_access_file_ops_size, 16u);
  EXPECT_EQ(entry.writable_file_ops_size, 48u);
  EXPECT_EQ(entry.read_only_memory_region_ops_size, 24u);
}

TEST(Tables, AreThoseOfEachSchemesClass) {
  const HandedOver given({Scheme<Readable>("one"), Scheme<Appendable>("two"),
                          Scheme<Readable>("")});
  ASSERT_EQ(given.info.num_schemes, 3u);
  EXPECT_STREQ(given.info.ops[0].scheme, "one");
  EXPECT_STREQ(given.info.ops[1].scheme, "two");
  EXPECT_STREQ(given.info.ops[2].scheme, "");
  EXPECT_THAT(Present(*given.info.ops[0].filesystem_ops), ElementsAre(0, 1, 2));
  EXPECT_THAT(Present(*given.info.ops[1].filesystem_ops), ElementsAre(0, 1, 4));
  EXPECT_NE(given.info.ops[0].filesystem_ops, given.info.ops[2].filesystem_ops);
}

TEST(Tables, AreGivenForSchemesOfALaterList) {
  const std::string name = "late";
  std::vector<SchemeEntry> schemes = {Scheme<Readable>("early")};
  schemes.push_back(Scheme<Readable>(name.c_str()));
  TF_FilesystemPluginInfo info = {};
  Register(&info, schemes);
  ASSERT_EQ(info.num_schemes, 2);
  EXPECT_STREQ(info.ops[0].scheme, "early");
  EXPECT_STREQ(info.ops[1].scheme, "late");
  internal::FreeEntries(info.ops, 2);
}

TEST(Tables, ReplaceTheHooksOfTheHost) {
  TF_FilesystemPluginInfo info = {};
  const auto host_allocate = [](size_t) -> void* { return nullptr; };
  const auto host_free = [](void*) {};
  info.plugin_memory_allocate = host_allocate;
  info.plugin_memory_free = host_free;
  Register(&info, {});
  EXPECT_NE(info.plugin_memory_allocate, +host_allocate);
  EXPECT_NE(info.plugin_memory_free, +host_free);
  EXPECT_EQ(info.num_schemes, 0u);
  void* const memory = info.plugin_memory_allocate(3);
  EXPECT_EQ(std::memcmp(memory, "\0\0\0", 3), 0);
  info.plugin_memory_free(memory);
  info.plugin_memory_free(nullptr);
  info.plugin_memory_free(info.ops);
}

TEST(Tables, OfAnEmptyRegionAreNotReached) {
  TestHost<Mappable> host;
  TF_ReadOnlyMemoryRegion region = {};
  const auto open = [&](const char* path) {
    host.ops().new_read_only_memory_region_from_file(
        &host.filesystem, path, &region, host.status.get());
  };
  open("/empty");
  EXPECT_EQ(host.code(), TF_INVALID_ARGUMENT);  // L410
  EXPECT_EQ(region.plugin_memory_region, nullptr);
  open("/full");
  ASSERT_EQ(host.code(), TF_OK);
  const TF_ReadOnlyMemoryRegionOps& ops =
      *host.entry().read_only_memory_region_ops;
  EXPECT_EQ(std::string(static_cast<const char*>(ops.data(&region)),
                        ops.length(&region)),
            "/full");
  ops.cleanup(&region);
}

struct Counted {
  Counted() { ++alive; }
  ~Counted() { --alive; }
  static int alive;
};
int Counted::alive = 0;

TEST(Tables, MakeOneObjectForEachInit) {
  {
    TestHost<Counted> one;
    TestHost<Counted> two;
    EXPECT_EQ(Counted::alive, 2);
    EXPECT_NE(one.filesystem.plugin_filesystem,
              two.filesystem.plugin_filesystem);
  }
  EXPECT_EQ(Counted::alive, 0);
}

struct Created {
  explicit Created(int) {}
  static Result<std::unique_ptr<Created>> Create() { return next(); }
  static std::function<Result<std::unique_ptr<Created>>()> next;
};
std::function<Result<std::unique_ptr<Created>>()> Created::next;

TEST(Tables, UseCreateInsteadOfTheConstructor) {
  Created::next = [] { return std::make_unique<Created>(1); };
  TestHost<Created> host;
  EXPECT_EQ(host.code(), TF_OK);
  EXPECT_NE(host.filesystem.plugin_filesystem, nullptr);

  const auto error_of = [&](auto next) {
    Created::next = next;
    TF_Filesystem another = {};
    host.ops().init(&another, host.status.get());
    EXPECT_EQ(another.plugin_filesystem, nullptr);
    return std::to_string(host.code()) + " " + host.message();
  };
  EXPECT_EQ(error_of([] { return Status(TF_UNAVAILABLE, "no server"); }),
            "14 no server");
  EXPECT_EQ(error_of([] { return std::unique_ptr<Created>(); }),
            "13 Create returned a null pointer");
}

}  // namespace
}  // namespace fsload::plugin
