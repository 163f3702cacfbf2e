// What all JUnit XML files of the command have in common.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace fsload {

// A file being made. One thread at a time.
class JunitFile final {
 public:
  // Begins the file of the whole run, which is called `name`.
  explicit JunitFile(const char* name);

  // Returns the element of all suites, as long as the file.
  pugi::xml_node suites() const { return suites_; }

  std::string Text() const;

 private:
  pugi::xml_document document_;
  pugi::xml_node suites_;
};

// Sets an attribute, printable: XML forbids control characters, even escaped.
void SetVisible(pugi::xml_node node, const char* attribute,
                std::string_view text);

}  // namespace fsload
