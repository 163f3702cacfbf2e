// The mutants' changes, by source. Each has a row in one of *_mutants.h.
#pragma once

#include <vector>

#include "testdata/mutants/wrapping.h"

namespace mutants {

struct Change {
  const char* mutant;
  void (*apply)(Tables* tables);
};
using Changes = std::vector<Change>;

// All of them.
Changes AllChanges();

Changes ReadingChanges();
Changes OpeningChanges();
Changes WritingChanges();
Changes BufferedChanges();
Changes CreatingChanges();
Changes DeletingChanges();
Changes RenameChanges();
Changes CopyChanges();
Changes AskingChanges();
Changes ListingChanges();
Changes GlobChanges();
Changes TranslationChanges();
Changes TransactionChanges();
Changes ConfigurationChanges();
Changes ProcessChanges();
Changes LeakingChanges();
Changes SharingChanges();
Changes PartlyChanges();

}  // namespace mutants
