#include "core/replay/shapes.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "core/tables/operations.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

template <typename Type, typename... Types>
constexpr bool kIsOneOf = (std::is_same_v<Type, Types> || ...);

// Returns what an argument is in a line; null for one that the operation fills
// in.
template <typename Argument>
constexpr char kLetter =
    kIsOneOf<Argument, const char*, const TF_Filesystem_Option*> ? 't'
    : kIsOneOf<Argument, uint64_t, TF_TransactionToken*,
               const TF_TransactionToken*>
        ? 'n'
        : '\0';

// Returns how many values one that it fills in has.
template <typename Argument>
constexpr size_t kFilledIn =
    kIsOneOf<Argument, TF_FileStatistics*>                          ? 3
    : kIsOneOf<Argument, uint64_t*, TF_TransactionToken**, char***> ? 1
                                                                    : 0;

template <Op op, typename Wrapper, typename Returned, typename... Arguments>
constexpr Shape ShapeBy(Returned (*)(Wrapper*, Arguments...)) {
  static_assert(((kLetter<Arguments> || std::is_pointer_v<Arguments>)&&...));
  Shape shape;
  char* end = shape.arguments;
  if (Describe(op).table != Table::kFilesystem) *end++ = 't';
  for (const char letter : {kLetter<Arguments>..., '\0'}) {
    if (letter != '\0') *end++ = letter;
  }
  shape.values = (kFilledIn<Arguments> + ... + 0);
  if (kIsOneOf<Returned, bool, int64_t, uint64_t>) ++shape.values;
  shape.has_texts = kIsOneOf<char*, Returned> ||
                    kIsOneOf<char***, Arguments...> ||
                    kIsOneOf<char**, Arguments...>;
  shape.has_bytes =
      kIsOneOf<const void*, Returned> || kIsOneOf<char*, Arguments...>;
  return shape;
}

template <Op op>
constexpr Shape kShape = ShapeBy<op>(FunctionTypeOf<op>());
template <>
constexpr Shape kShape<Op::kFilesystem_paths_exist> = {"t*", 1, true};
template <>
constexpr Shape kShape<Op::kFilesystem_get_filesystem_configuration> = {"", 0,
                                                                        true};
template <>
constexpr Shape kShape<Op::kFilesystem_set_filesystem_configuration> = {"t*"};
template <>
constexpr Shape kShape<Op::kWritableFile_append> = {"tc"};

bool IsOfKind(const JournalArgument& argument, char kind) {
  return std::holds_alternative<uint64_t>(argument) == (kind == 'n');
}

bool ArgumentsFit(const JournalCall& call, std::string_view kinds) {
  const auto& found = call.arguments;
  if (!kinds.empty() && kinds.back() == '*') {
    const char kind = kinds.front();
    return std::all_of(found.begin(), found.end(),
                       [&](const auto& each) { return IsOfKind(each, kind); });
  }
  return std::equal(found.begin(), found.end(), kinds.begin(), kinds.end(),
                    &IsOfKind);
}

// Texts become strings that end at a null byte.
bool HaveNullBytes(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.find('\0') != std::string::npos;
  });
}

// The number of values of an answer that is OK.
size_t ValuesOf(const JournalCall& call) {
  const size_t least = ShapeOf(call.op).values;
  return call.op == Op::kFilesystem_paths_exist ? least + call.arguments.size()
                                                : least;
}

std::string Problem(const JournalCall& call) {
  const Shape& shape = ShapeOf(call.op);
  if (!ArgumentsFit(call, shape.arguments)) {
    return "its arguments are not those of the operation";
  }
  if (call.code == TF_OK && call.values.size() != ValuesOf(call)) {
    return Format("wanted {} values, found {}", ValuesOf(call),
                  call.values.size());
  }
  if (!shape.has_texts && !call.texts.empty()) return "it has texts";
  if (HaveNullBytes(call.texts)) return "a text contains a null byte";
  if (call.op == Op::kFilesystem_paths_exist && !call.texts.empty() &&
      call.texts.size() != call.arguments.size()) {
    return Format("wanted {} texts, found {}", call.arguments.size(),
                  call.texts.size());
  }
  if (!shape.has_bytes && !call.bytes.empty()) return "it has bytes";
  if (call.op == Op::kRandomAccessFile_read &&
      call.bytes.size() > std::get<uint64_t>(call.arguments[2])) {
    return "it has more bytes than were read";
  }
  return "";
}

}  // namespace

const Shape& ShapeOf(Op op) {
  static constexpr Shape kShapes[] = {
#define FSLOAD_ROW(table, name, ...) kShape<Op::k##table##_##name>,
      FSLOAD_FOR_EACH_OPERATION(FSLOAD_ROW)
#undef FSLOAD_ROW
  };
  return kShapes[static_cast<size_t>(op)];
}

absl::Status CheckShape(const JournalCall& call) {
  const std::string problem = Problem(call);
  if (problem.empty()) return absl::OkStatus();
  return InvalidArgumentError("the call of {} is damaged: {}",
                              FullName(call.op), problem);
}

}  // namespace fsload
