#include <convoy/buffer.hpp>
#include <convoy/device.hpp>
#include <convoy/stream.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "variant.hpp"

namespace convoy::bench {
namespace {

template <class T>
T expect(result<T> made, const char* call) {
  if (made) return std::move(*made);
  std::fprintf(stderr, "Convoy: %s failed\n", call);
  std::exit(1);
}

// The smallest step that wakes workers, so that it evicts little from the caches.
constexpr std::size_t wake_bytes = std::size_t{256} << 10;

struct convoy_stream {
  stream queue = expect(make_stream(device_id{0}), "make_stream");
  buffer host = expect(make_pinned_buffer(wake_bytes), "make_pinned_buffer");
  buffer device = expect(make_device_buffer(device_id{0}, wake_bytes), "make_device_buffer");

  void run(std::span<const copy> batch) const {
    static_cast<void>(expect(submit(queue, batch), "submit"));
    if (!queue.synchronize().ok()) std::abort();
  }

  // Has the workers spin afterwards; it takes a few steps until all of them do.
  void wake() const {
    const copy large{device.data(), host.data(), host.size()};
    for (int i = 0; i < 20; ++i) run({&large, 1});
  }
};

std::optional<pools> pinned_and_device(std::size_t bytes) {
  auto src = make_pinned_buffer(bytes);
  auto dst = make_device_buffer(device_id{0}, bytes);
  if (!src || !dst) return {};
  static std::vector<buffer> kept;
  kept.push_back(std::move(*src));
  kept.push_back(std::move(*dst));
  return pools{kept[kept.size() - 2].data(), kept.back().data(), bytes};
}

const bool parked_added = add_variant([]() -> variant_or_reason {
  const auto self = std::make_shared<convoy_stream>();
  return variant{.name = "Convoy, workers parked",
                 .kind = family::convoy,
                 .run = [self](auto batch) { self->run(batch); },
                 .allocate = pinned_and_device};
});

const bool awake_added = add_variant([]() -> variant_or_reason {
  const auto self = std::make_shared<convoy_stream>();
  return variant{.name = "Convoy",
                 .kind = family::convoy,
                 .run = [self](auto batch) { self->run(batch); },
                 .wake = [self](const workload&) { self->wake(); }};
});

}  // namespace
}  // namespace convoy::bench
