// The values that streams of a random program write, and wait for.
#include <convoy/memory.hpp>
#include <cstring>

#include "support/random_program.hpp"

namespace convoy::test {

void random_program::write_number() {
  const next_step at = next_anywhere();
  const auto bytes = static_cast<std::uint8_t>(chance(2) ? 4 : 8);
  auto dst = writable(2 * bytes - 1, at.clock);
  if (!dst) return connect_to(at);
  if (locate(dst->data())->kind == memory_kind::pageable) return;
  const std::size_t odd = reinterpret_cast<std::uintptr_t>(dst->data()) % bytes;
  dst->offset += (bytes - odd) % bytes;
  dst->bytes = bytes;

  const std::uint64_t value = random_();
  if (!expect(write_value(ref(at), {dst->data(), value, bytes}), "write_value")) return;
  std::memcpy(dst->wanted(), &value, bytes);
  writes(at, *dst);
  commit(at);
}

// The values of a stream rise, so that the wait ends with this write or a later one. A wait for an
// equal value could miss it.
void random_program::connect_by_value(std::size_t from, std::size_t to) {
  const next_step source = next_in(from);
  const stream_value value{values_.data() + from * sizeof(std::uint64_t), ++values_written_[from],
                           sizeof(std::uint64_t)};
  if (!expect(write_value(ref(source), value), "write_value")) return;
  commit(source);

  next_step target = next_in(to);
  if (!expect(wait_value(ref(target), value, value_test::at_least), "wait_value")) return;
  target.clock.join(source.clock);
  commit(target);
}

}  // namespace convoy::test
