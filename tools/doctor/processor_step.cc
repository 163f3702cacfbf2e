#include "tools/doctor/processor_step.h"

#include <memory>

#include "fsload/rules.h"
#include "loader/elf/elf_image.h"
#include "loader/elf/file_bytes.h"
#include "loader/elf/processor.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/rules/findings.h"
#include "third_party/fmt/format.h"

namespace fsload {

std::optional<DiagnosisStep> ProcessorStep(const std::string& path) {
  const std::unique_ptr<FileBytes> file = FileBytes::Open(path);
  if (file == nullptr) return std::nullopt;
  Findings findings;
  ElfImage::Parse(file->bytes(), file.get(), findings);
  for (const Finding& each : findings.all()) {
    if (!IsAboutProcessor(each.rule)) continue;
    const KnownPlugin* const known = KnownPluginAt(path);
    return DiagnosisStep{
        StepVerdict::kProblem, "plugin",
        Format("{}: {}: {}", path, Name(each.rule), each.message),
        known == nullptr ? std::string(Describe(each.rule).repair)
                         : InstallCommand(*known) + " is known to work"};
  }
  return std::nullopt;
}

}  // namespace fsload
