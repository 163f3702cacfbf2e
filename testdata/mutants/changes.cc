#include "testdata/mutants/changes.h"

namespace mutants {

Changes AllChanges() {
  Changes all;
  for (const auto group :
       {ReadingChanges, OpeningChanges, WritingChanges, BufferedChanges,
        CreatingChanges, DeletingChanges, RenameChanges, CopyChanges,
        AskingChanges, ListingChanges, GlobChanges, TranslationChanges,
        TransactionChanges, ConfigurationChanges, ProcessChanges,
        LeakingChanges, SharingChanges, PartlyChanges}) {
    const Changes changes = group();
    all.insert(all.end(), changes.begin(), changes.end());
  }
  return all;
}

}  // namespace mutants
