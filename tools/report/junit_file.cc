#include "tools/report/junit_file.h"

#include <sstream>

#include "tools/text/visible_text.h"

namespace fsload {

JunitFile::JunitFile(const char* name) {
  pugi::xml_node declaration = document_.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  suites_ = document_.append_child("testsuites");
  suites_.append_attribute("name") = name;
}

std::string JunitFile::Text() const {
  std::ostringstream text;
  document_.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

void SetVisible(pugi::xml_node node, const char* attribute,
                std::string_view text) {
  node.append_attribute(attribute).set_value(Visible(text).c_str());
}

}  // namespace fsload
