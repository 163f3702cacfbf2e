// Functions in the place of those that a plugin calls and nobody has.
//
// A stand-in throws a MissingFunction, which unwinds through the plugin to the
// boundary. Where the exception meets a frame that lets none through (noexcept,
// a destructor, the start of a thread, an exit handler) the process ends, with
// its words on standard error.
#ifndef FSLOAD_LOADER_LINKING_STAND_INS_H_
#define FSLOAD_LOADER_LINKING_STAND_INS_H_

#include <string>
#include <string_view>
#include <vector>

#include "loader/linking/imports_library.h"

namespace fsload {

// Functions that are `missing`, as people write them.
std::vector<std::string> ForPeople(const std::vector<std::string>& missing);

// A stand-in for each of the functions `missing`, by the name that the dynamic
// linker knows it by. `shown`, which are the same for people, last as long as
// they can be called.
std::vector<ImportedFunction> MakeStandIns(
    const std::vector<std::string>& missing,
    const std::vector<std::string>& shown);

// For its life the calling thread is inside dlopen, which runs the static
// initialisers of `plugin`, and which no exception passes through unharmed: a
// stand-in that is called says so in the log and ends the process. Scopes nest.
class OpeningScope final {
 public:
  // `plugin`, for the log, outlives the scope.
  explicit OpeningScope(std::string_view plugin);
  ~OpeningScope();
  OpeningScope(const OpeningScope&) = delete;
  OpeningScope& operator=(const OpeningScope&) = delete;

 private:
  const std::string_view outer_;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_LINKING_STAND_INS_H_
