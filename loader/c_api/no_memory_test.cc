// What happens when memory runs out in the middle of a call.
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "loader/c_api/c_api_fixture.h"

namespace {

// Allocations of this thread that still succeed; none are counted if negative.
thread_local int allocations_left = -1;

void* Allocate(size_t bytes) {
  if (allocations_left == 0) return nullptr;
  if (allocations_left > 0) --allocations_left;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) { return OrThrow(Allocate(bytes)); }
void* operator new[](size_t bytes) { return OrThrow(Allocate(bytes)); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return Allocate(bytes);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return Allocate(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace fsload {
namespace {

// Whether a call failed for lack of memory: fsload's own, or the plugin's,
// whose exception is told like any other.
bool LackedMemory(const fsload_error* error) {
  const std::string why = fsload_error_message(error);
  return fsload_error_code(error) == FSLOAD_RESOURCE_EXHAUSTED ||
         why.find("the plugin threw std::bad_alloc") != std::string::npos;
}

// Makes `call`, which frees its result, with room for more and more
// allocations, until it does not lack any. What a failed call leaves behind is
// found by LeakSanitizer. Returns the last code.
fsload_code CallUntilThereIsRoom(
    const std::function<fsload_code(fsload_error**)>& call) {
  constexpr int kMax = 3000;
  fsload_error* error = nullptr;
  for (int room = 0; room < kMax; ++room) {
    allocations_left = room;
    const fsload_code code = call(&error);
    allocations_left = -1;
    EXPECT_EQ(fsload_error_code(error), code);
    const bool lacked = LackedMemory(error);
    fsload_error_free(error);
    error = nullptr;
    if (lacked) continue;
    EXPECT_THAT(room, ::testing::Gt(0)) << "it allocates nothing";
    return code;
  }
  ADD_FAILURE() << "there was never room enough";
  return FSLOAD_RESOURCE_EXHAUSTED;
}

class CApiNoMemoryTest : public CApiTest {
 protected:
  CApiNoMemoryTest() {
    Load("posix");
    Write(file_, "hello");
  }

  const std::string folder_ = "posix://" + NewTestDirectory();
  const std::string file_ = folder_ + "/file";
  const std::string copy_ = folder_ + "/copy";
  const std::string none_ = folder_ + "/none";
  const std::string all_ = folder_ + "/*";
  const std::string deep_ = folder_ + "/a/b/c";
};

TEST_F(CApiNoMemoryTest, IsAnErrorLikeOthers) {
  struct Call {
    const char* name;
    fsload_code code;
    std::function<fsload_code(fsload_error**)> call;
  };
  const std::vector<Call> calls = {
      {"registry_new", FSLOAD_OK,
       [](fsload_error** error) {
         fsload_registry* made = nullptr;
         const fsload_code code = fsload_registry_new(&made, error);
         fsload_registry_free(made);
         return code;
       }},
      {"schemes", FSLOAD_OK,
       [&](fsload_error** error) {
         fsload_strings* made = nullptr;
         const fsload_code code = fsload_schemes(registry_, &made, error);
         fsload_strings_free(made);
         return code;
       }},
      {"open_reader", FSLOAD_OK,
       [&](fsload_error** error) {
         fsload_reader* made = nullptr;
         const fsload_code code =
             fsload_open_reader(registry_, file_.c_str(), &made, error);
         fsload_reader_free(made);
         return code;
       }},
      {"list", FSLOAD_OK,
       [&](fsload_error** error) {
         fsload_walk_options options = {};
         options.struct_size = sizeof(options);
         options.jobs = 1;
         fsload_entries* made = nullptr;
         const fsload_code code =
             fsload_list(registry_, folder_.c_str(), &options, &made, error);
         fsload_entries_free(made);
         return code;
       }},
      {"walk_begin", FSLOAD_OK,
       [&](fsload_error** error) {
         fsload_walk_options options = {};
         options.struct_size = sizeof(options);
         options.jobs = 1;
         fsload_walk* made = nullptr;
         const fsload_code code = fsload_walk_begin(registry_, folder_.c_str(),
                                                    &options, &made, error);
         fsload_walk_free(made);
         return code;
       }},
      {"stat of what is not there", FSLOAD_NOT_FOUND,
       [&](fsload_error** error) {
         fsload_statistics statistics = {};
         statistics.struct_size = sizeof(statistics);
         return fsload_stat(registry_, none_.c_str(), &statistics, error);
       }},
      {"glob", FSLOAD_OK,
       [&](fsload_error** error) {
         fsload_strings* made = nullptr;
         const fsload_code code =
             fsload_glob(registry_, all_.c_str(), &made, error);
         fsload_strings_free(made);
         return code;
       }},
      {"create_directories", FSLOAD_OK,
       [&](fsload_error** error) {
         return fsload_create_directories(registry_, deep_.c_str(), error);
       }},
      {"delete_recursively of what is not there", FSLOAD_NOT_FOUND,
       [&](fsload_error** error) {
         return fsload_delete_recursively(registry_, none_.c_str(), nullptr,
                                          nullptr, error);
       }},
      {"copy", FSLOAD_OK,
       [&](fsload_error** error) {
         return fsload_copy(registry_, file_.c_str(), copy_.c_str(), nullptr,
                            error);
       }},
      {"load of what is not there", FSLOAD_NOT_FOUND,
       [&](fsload_error** error) {
         return fsload_load(registry_, "/none/plugin.so", nullptr, nullptr,
                            error);
       }},
      {"observer_new without a size", FSLOAD_INVALID_ARGUMENT,
       [&](fsload_error** error) {
         const fsload_callbacks callbacks = {};
         fsload_observer* made = nullptr;
         return fsload_observer_new(&callbacks, &made, error);
       }},
  };
  for (const Call& each : calls) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(CallUntilThereIsRoom(each.call), each.code);
  }
}

}  // namespace
}  // namespace fsload
