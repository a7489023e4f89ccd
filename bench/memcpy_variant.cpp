#include "shared/bare_kernels.hpp"
#include "variant.hpp"

namespace convoy::bench {
namespace {

const bool added = add_variant([]() -> variant_or_reason {
  return variant{.name = "memcpy loop", .kind = family::loop, .run = tools::copy_with_memcpy};
});

}  // namespace
}  // namespace convoy::bench
