#include "rivals.hpp"

#include "must.hpp"

namespace convoy::demo {

host_cache::host_cache(std::size_t bytes)
    : pages_(must(make_pinned_buffer(bytes))),
      store_(must(make_pinned_buffer(moved_part(bytes)))) {}

}  // namespace convoy::demo
