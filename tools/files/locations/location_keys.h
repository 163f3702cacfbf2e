// Identifiers of locations that several names may lead to.
#pragma once

#include <map>
#include <string>

#include "tools/files/locations/location.h"

namespace fsload {

// Makes identifiers, and remembers which file systems serve this machine's
// files. Those of stores are without the scheme, which may be an alias: two
// stores may have the same (IsAlsoIn tells). One thread.
class LocationKeys final {
 public:
  // Returns whether one may be the other or lie inside it.
  bool MayMeet(const Location& a, const Location& b);

  // Returns an identifier for `location`, on this machine the same for all
  // names of its directory.
  std::string KeyOf(const Location& location);

  // Returns an identifier for the file at `location`, independent of its path;
  // "" if unknown. The first identifies a symlink itself, the second its
  // target.
  std::string KeyOfFile(const Location& location);
  std::string KeyBehindLinks(const Location& location);

  // Returns whether the files are this machine's.
  bool IsLocal(const Location& location);

 private:
  struct Known {
    bool is_local = false;
    std::string asked_of;  // the last directory, if it is not
  };
  std::map<const FileSystem*, Known> known_;
};

}  // namespace fsload
