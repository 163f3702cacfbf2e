#include <string_view>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

namespace deviant {

// The build defines VARIANT.
extern const std::string_view kVariant;
const std::string_view kVariant = TEXT(VARIANT);

}  // namespace deviant
