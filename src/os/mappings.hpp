// The mappings of the process, from /proc/self/maps.
#pragma once

#include <cstddef>

namespace convoy::os {

enum class page_access { read, read_write };

// The first address of the range whose page is not mapped with this access; null when there is
// none, or when the kernel does not list the mappings. The range does not wrap around. Reads the
// list once and touches no page.
const void* first_inaccessible(const void* start, std::size_t bytes, page_access needed) noexcept;

}  // namespace convoy::os
