#include "loader/tables/plugin_tables.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compat/guarded_copy.h"
#include "core/paths/uri.h"
#include "core/tables/op_needs.h"
#include "core/tables/operations.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// 8,192 operations; the interface has never had more than 33.
constexpr size_t kMaxTableBytes = size_t{64} << 10;
constexpr size_t kMaxSchemeBytes = SchemeTables::kMaxSchemeBytes;

// One table as TF_FilesystemPluginOps declares it.
struct DeclaredTable {
  Table table;
  const void* source;
  size_t bytes;
  int abi;
  int api;
};

std::vector<DeclaredTable> DeclaredTables(const TF_FilesystemPluginOps& ops) {
  return {
      {Table::kFilesystem, ops.filesystem_ops, ops.filesystem_ops_size,
       ops.filesystem_ops_abi, ops.filesystem_ops_api},
      {Table::kRandomAccessFile, ops.random_access_file_ops,
       ops.random_access_file_ops_size, ops.random_access_file_ops_abi,
       ops.random_access_file_ops_api},
      {Table::kWritableFile, ops.writable_file_ops, ops.writable_file_ops_size,
       ops.writable_file_ops_abi, ops.writable_file_ops_api},
      {Table::kReadOnlyMemoryRegion, ops.read_only_memory_region_ops,
       ops.read_only_memory_region_ops_size,
       ops.read_only_memory_region_ops_abi,
       ops.read_only_memory_region_ops_api},
  };
}

// The end of the last required operation of `table`, in bytes.
size_t BytesOfRequired(Table table) {
  size_t bytes = 0;
  for (const Operation& operation : kOperations) {
    if (operation.table == table && operation.absence == Absence::kRefused) {
      bytes = std::max(bytes, operation.offset + sizeof(void*));
    }
  }
  return bytes;
}

// Checks and copies one scheme's tables.
class SchemeChecker {
 public:
  SchemeChecker(CopiedScheme& copied, const CodeMap& code, Findings& findings)
      : copied_(copied), code_(code), findings_(findings) {}

  void CopyTable(const DeclaredTable& declared) {
    TableReport& report =
        copied_.report.tables[static_cast<size_t>(declared.table)];
    report = {declared.source != nullptr, declared.bytes, declared.abi,
              declared.api};
    if (declared.source == nullptr) {
      if (declared.table == Table::kFilesystem) {
        Add(RuleId::kFilesystemTable,
            "its TF_FilesystemOps is null; there is nothing to call",
            declared.table);
      }
      return;
    }
    if (!CheckVersion(declared) || !CheckSize(declared)) return;
    const TableShape& shape = Describe(declared.table);
    const size_t bytes = std::min(declared.bytes, shape.bytes);
    void* const copy =
        const_cast<void*>(TableIn(copied_.tables, declared.table));
    const size_t readable = GuardedCopy(declared.source, bytes, copy);
    if (readable < bytes) {
      std::memset(copy, 0, shape.bytes);
      Add(RuleId::kTableReadable,
          Format("{} at {}: wanted {} bytes, could read {}; the scheme is "
                 "refused",
                 shape.name, declared.source, bytes, readable),
          declared.table)
          .numbers = Numbers::OfSizes(bytes, readable);
      return;
    }
    CheckOperations(declared.table);
  }

  // L358, L377, L395, L414: an operation that opens a file requires that file's
  // table.
  void CheckConditionalTables() {
    for (const Opener& need : kOpeners) {
      const TableReport& table =
          copied_.report.tables[static_cast<size_t>(need.opens)];
      if (FunctionIn(copied_.tables, need.op) == nullptr || table.present) {
        continue;
      }
      Add(RuleId::kConditionalTable,
          Format("{} is set, but {} is null; files that it opens could "
                 "not be used",
                 Describe(need.op).name, Describe(need.opens).name),
          need.opens, need.op);
    }
  }

 private:
  Finding& Add(RuleId rule, std::string message, Table table,
               std::optional<Op> op = {}) {
    return findings_.AddFor(copied_.scheme, rule, std::move(message), table,
                            op);
  }

  bool CheckVersion(const DeclaredTable& declared) {
    const std::string_view name = Describe(declared.table).name;
    if (declared.abi != 0) {
      Add(RuleId::kAbi,
          Format("{}: wanted ABI 0, found {}; its functions have other "
                 "parameters",
                 name, declared.abi),
          declared.table)
          .numbers = Numbers{0, declared.abi};
      return false;
    }
    if (declared.api != 0) {
      Add(RuleId::kApi,
          Format("{}: wanted API 0, found {}; some operations may "
                 "behave differently",
                 name, declared.api),
          declared.table)
          .numbers = Numbers{0, declared.api};
    }
    return true;
  }

  bool CheckSize(const DeclaredTable& declared) {
    const TableShape& shape = Describe(declared.table);
    const size_t required = BytesOfRequired(declared.table);
    if (declared.bytes == 0) {
      Add(RuleId::kTableHasSize,
          Format("{}: its size is 0; TF_SetFilesystemVersionMetadata was "
                 "not called",
                 shape.name),
          declared.table)
          .numbers = Numbers::OfSizes(shape.bytes, 0);
    } else if (declared.bytes > kMaxTableBytes) {
      Add(RuleId::kTableSizeSane,
          Format("{}: its size is {} bytes, but no release has more than {}; "
                 "the field is probably uninitialised",
                 shape.name, declared.bytes, shape.bytes),
          declared.table)
          .numbers = Numbers::OfSizes(kMaxTableBytes, declared.bytes);
    } else if (declared.bytes % sizeof(void*) != 0) {
      Add(RuleId::kTableOfPointers,
          Format("{}: wanted a multiple of {} bytes, found {}; its "
                 "layout is unknown",
                 shape.name, sizeof(void*), declared.bytes),
          declared.table)
          .numbers = Numbers::OfSizes(sizeof(void*), declared.bytes);
    } else if (declared.bytes < required) {
      Add(RuleId::kTableHoldsRequired,
          Format("{}: wanted at least {} bytes, found {}; its required "
                 "operations do not fit",
                 shape.name, required, declared.bytes),
          declared.table)
          .numbers = Numbers::OfSizes(required, declared.bytes);
    } else {
      if (declared.bytes > shape.bytes) {
        Add(RuleId::kTableKnown,
            Format("{0}: wanted at most {1} bytes, found {2}; operations "
                   "beyond the first {1} bytes are ignored",
                   shape.name, shape.bytes, declared.bytes),
            declared.table)
            .numbers = Numbers::OfSizes(shape.bytes, declared.bytes);
      }
      return true;
    }
    return false;
  }

  void CheckOperations(Table table) {
    for (const Operation& operation : kOperations) {
      if (operation.table != table) continue;
      const void* const function = FunctionIn(copied_.tables, operation.op);
      if (function == nullptr) {
        if (operation.absence != Absence::kRefused) continue;
        Add(RuleId::kRequiredOp,
            Format(
                "{}: the required operation {} is null; the scheme is refused",
                Describe(table).name, operation.name),
            table, operation.op);
      } else if (!code_.Contains(function)) {
        Add(RuleId::kOpIsCode,
            Format("{}: {} is {}, which is not executable code; a call "
                   "would crash",
                   Describe(table).name, operation.name, function),
            table, operation.op);
      }
    }
  }

  CopiedScheme& copied_;
  const CodeMap& code_;
  Findings& findings_;
};

// The string at `source`, of at most kMaxSchemeBytes.
std::optional<std::string> CopyScheme(const char* source, size_t index,
                                      Findings& findings) {
  char text[kMaxSchemeBytes];
  const size_t readable = GuardedCopy(source, sizeof(text), text);
  const size_t length = strnlen(text, readable);
  if (source != nullptr && length < readable) return std::string(text, length);
  const std::string error =
      source == nullptr ? "is null"
      : readable < sizeof(text)
          ? "cannot be read"
          : Format("is longer than {} bytes or not terminated",
                   kMaxSchemeBytes - 1);
  findings.Add(
      RuleId::kSchemeString,
      Format("scheme {}: its name {}; it cannot be registered", index, error));
  return std::nullopt;
}

void CheckScheme(const std::string& scheme, Findings& findings) {
  if (!IsScheme(scheme)) {
    findings.AddFor(scheme, RuleId::kSchemeGrammar,
                    "not valid; it must be a letter followed by one or more "
                    "letters, digits or dots, or \"\" for local paths");
  }
}

// Adds one finding for each scheme that occurs more than once.
void CheckRepeated(const std::vector<CopiedScheme>& schemes,
                   Findings& findings) {
  std::map<std::string_view, size_t> times;
  for (const CopiedScheme& each : schemes) ++times[each.scheme];
  for (const auto& [scheme, count] : times) {
    if (count == 1) continue;
    findings.AddFor(scheme, RuleId::kSchemeOnce,
                    Format("registered {}; fill in one entry per scheme",
                           count == 2 ? "twice" : Format("{} times", count)));
  }
}

void Classify(const SchemeTables& tables, SchemeReport& report) {
  for (const Operation& operation : kOperations) {
    if (!report.tables[static_cast<size_t>(operation.table)].present) {
      if (operation.table == Table::kFilesystem) continue;
      report.unavailable.push_back(operation.op);
    } else if (FunctionIn(tables, operation.op) != nullptr) {
      report.present.push_back(operation.op);
    } else {
      (MissingFor(tables, operation.op).empty() ? report.by_default
                                                : report.unavailable)
          .push_back(operation.op);
    }
  }
}

}  // namespace

std::vector<TF_FilesystemPluginOps> CopySchemes(
    const TF_FilesystemPluginInfo& info, Findings& findings) {
  if (info.num_schemes == 0) {
    findings
        .Add(RuleId::kHasSchemes,
             "wanted at least 1 scheme, found 0; nothing can be registered")
        .numbers = Numbers{1, 0};
    return {};
  }
  if (info.num_schemes > kMaxSchemesOfPlugin) {
    findings
        .Add(RuleId::kFewSchemes,
             Format("wanted at most {} schemes, found {}; num_schemes "
                    "is probably uninitialised",
                    kMaxSchemesOfPlugin, info.num_schemes))
        .numbers = Numbers::OfSizes(kMaxSchemesOfPlugin, info.num_schemes);
    return {};
  }
  std::vector<TF_FilesystemPluginOps> schemes(info.num_schemes);
  const size_t bytes = schemes.size() * sizeof(schemes[0]);
  const size_t readable = GuardedCopy(info.ops, bytes, schemes.data());
  if (readable < bytes) {
    findings
        .Add(RuleId::kOpsArray,
             Format("the ops array ({} bytes at {}) cannot be read; no "
                    "scheme can be loaded",
                    bytes, static_cast<const void*>(info.ops)))
        .numbers = Numbers::OfSizes(bytes, readable);
    return {};
  }
  return schemes;
}

std::vector<CopiedScheme> CopyAndCheckTables(
    const TF_FilesystemPluginInfo& info,
    const std::vector<TF_FilesystemPluginOps>& schemes,
    const StatusProvider& status, const CodeMap& code, Findings& findings) {
  std::vector<CopiedScheme> copies;
  for (size_t i = 0; i < schemes.size(); ++i) {
    const std::optional<std::string> scheme =
        CopyScheme(schemes[i].scheme, i, findings);
    if (!scheme.has_value()) continue;
    CheckScheme(*scheme, findings);
    CopiedScheme& copy = copies.emplace_back();
    copy.scheme = copy.report.scheme = *scheme;
    scheme->copy(copy.tables.scheme, sizeof(copy.tables.scheme) - 1);
    copy.tables.memory = {info.plugin_memory_allocate, info.plugin_memory_free};
    copy.tables.status = status;
    SchemeChecker checker(copy, code, findings);
    for (const DeclaredTable& declared : DeclaredTables(schemes[i])) {
      checker.CopyTable(declared);
    }
    checker.CheckConditionalTables();
    Classify(copy.tables, copy.report);
  }
  CheckRepeated(copies, findings);
  return copies;
}

}  // namespace fsload
