// Reads what a plugin, or the server behind it, says in a status.
#pragma once

#include <string>
#include <string_view>

namespace fsload {

// Makes one line of `message`: line breaks, with the blanks around them, become
// one blank, and the middle of a long one, such as a server's page, is cut out.
std::string OneLine(std::string_view message);

// Returns whether `words` are in `message`, and not because it quotes `uri`.
bool SaysOfItself(std::string_view message, std::string_view words,
                  std::string_view uri);

// Returns whether `message`, of the operation on `uri`, is what a store says
// whose bucket is in another region than the plugin's: trying again is in vain.
bool NamesOtherRegion(std::string_view uri, std::string_view message);

}  // namespace fsload
