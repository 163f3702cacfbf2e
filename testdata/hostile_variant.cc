// What a hostile plugin does, and where: the build defines DEED and POINT.
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

namespace hostile {

extern const char kDeed[];
extern const char kPoint[];
const char kDeed[] = TEXT(DEED);
const char kPoint[] = TEXT(POINT);

}  // namespace hostile
