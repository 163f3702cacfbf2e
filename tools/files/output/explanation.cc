#include "tools/files/output/explanation.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_needs.h"
#include "third_party/fmt/format.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

// The operation's name; for cleanup, which each table has, also the table's.
std::string NameOf(Op op) {
  const Operation& operation = Describe(op);
  if (operation.name != "cleanup") return std::string(operation.name);
  return Format("cleanup of {}", Describe(operation.table).name);
}

// Who performs an operation.
struct Doer {
  const char* by;                 // "plugin", "fsload" or "nobody"
  std::vector<std::string> with;  // the operations that fsload uses for it
  const char* instead = nullptr;  // what the plugin's own does, if disabled
};

Doer DoerOf(const SchemeTables& tables, Op op) {
  if (FunctionIn(tables, op) != nullptr) return {"plugin", {}};
  if (!MissingFor(tables, op).empty()) return {"nobody", {}};
  Doer doer = {"fsload", {}, WhyDisabled(tables.traits, op)};
  const Default row = NeedsOf(op);
  for (size_t i = 0; i < row.count; ++i) {
    doer.with.push_back(NameOf(row.needs[i]));
  }
  return doer;
}

bool IsListed(const std::vector<Op>& operations, Op op) {
  return std::find(operations.begin(), operations.end(), op) !=
         operations.end();
}

// One operation's row, for people.
std::string Line(const std::string& name, const Doer& doer,
                 const CallCounts::Count& count) {
  if (std::string_view(doer.by) == "plugin") {
    std::string line =
        Format("  {:36} plugin  {:>7}  {:>6}", name, count.calls, count.failed);
    if (count.bytes > 0) line += Format("  {}", count.bytes);
    return line + "\n";
  }
  std::string line = Format("  {:36} {}", name, doer.by);
  for (size_t i = 0; i < doer.with.size(); ++i) {
    line += (i == 0 ? ", with " : " ") + doer.with[i];
  }
  if (doer.instead != nullptr) {
    line += std::string("; one of the plugin's is not used: ") + doer.instead;
  }
  return line + "\n";
}

std::string CodeText(TF_Code code) {
  return absl::StatusCodeToString(static_cast<absl::StatusCode>(code));
}

std::string RetryLine(const CallCounts::Retried& retried) {
  return Format("  retried: {}, {} time{} ({}{}{})\n", NameOf(retried.op),
                retried.times, retried.times == 1 ? "" : "s",
                CodeText(retried.code), retried.message.empty() ? "" : ": ",
                Visible(retried.message));
}

}  // namespace

void Explanation::Add(const FileSystem& file_system) {
  plugins.try_emplace(file_system.scheme(),
                      Plugin{file_system.plugin(), TablesOf(file_system)});
}

void Explanation::Print(const CallCounts& counts,
                        const std::vector<Op>& operations,
                        VerbOutput& output) const {
  for (const auto& [scheme, plugin] : plugins) {
    std::string text = Format(
        "scheme '{}', {}\n  {:36} {:6}  {:>7}  {:>6}  {}\n", scheme,
        Visible(plugin.name), "operation", "by", "calls", "failed", "bytes");
    std::vector<JsonFields> rows;
    for (const Operation& operation : kOperations) {
      const CallCounts::Count count = counts.Of(scheme, operation.op);
      if (count.calls == 0 && !IsListed(operations, operation.op)) continue;
      const std::string name = NameOf(operation.op);
      const Doer doer = DoerOf(plugin.tables, operation.op);
      text += Line(name, doer, count);
      JsonFields row = {{"name", name},           {"by", doer.by},
                        {"with", doer.with},      {"calls", count.calls},
                        {"failed", count.failed}, {"bytes", count.bytes}};
      if (doer.instead != nullptr) {
        row.emplace_back("disabled", doer.instead);
      }
      rows.push_back(std::move(row));
    }
    std::vector<JsonFields> retries;
    for (const CallCounts::Retried& each : counts.RetriedOf(scheme)) {
      text += RetryLine(each);
      retries.push_back({{"name", NameOf(each.op)},
                         {"code", CodeText(each.code)},
                         {"times", each.times},
                         {"message", each.message}});
    }
    text += Format("  atomic: {}\n", atomic);
    output.Note(text, "explain",
                {{"scheme", scheme},
                 {"plugin", plugin.name},
                 {"operations", rows},
                 {"retries", retries},
                 {"atomic", atomic}});
  }
}

}  // namespace fsload
