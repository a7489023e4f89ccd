// convoy_bench_boxes: pitched copies and fills against loops over their rows, and against the same
// rows as one batch.

#include <array>
#include <cstring>
#include <functional>

#include "call_timing.hpp"
#include "shared/median.hpp"

namespace convoy::bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr int rounds = 21;

struct shape {
  std::size_t width;
  std::size_t pitch;
  std::size_t rows;
};

// The memory of the copies, and every variant of making them.
class pitched_case {
 public:
  explicit pitched_case(const shape& layout)
      : shape_(layout),
        stream_(expect(make_stream(device_id{0}))),
        dst_(expect(make_device_buffer(device_id{0}, layout.pitch * layout.rows))),
        src_(expect(make_pinned_buffer(layout.pitch * layout.rows))) {
    std::memset(dst_.data(), 1, dst_.size());
    std::memset(src_.data(), 2, src_.size());
    for (std::size_t row = 0; row != layout.rows; ++row)
      batch_.push_back(
          {dst_.data() + row * layout.pitch, src_.data() + row * layout.pitch, layout.width});
  }

  void copy_box() const {
    expect(submit(stream_,
                  pitched_copy{{dst_.data(), shape_.pitch}, {src_.data(), shape_.pitch}, box_}));
    wait();
  }
  void copy_batch() const {
    expect(submit(stream_, batch_));
    wait();
  }
  void copy_loop() const {
    for (const copy& row : batch_) std::memcpy(row.dst, row.src, row.bytes);
  }
  void fill_box() const {
    expect(fill(stream_, pitched{dst_.data(), shape_.pitch}, box_, {3}));
    wait();
  }
  void fill_loop() const {
    for (const copy& row : batch_) std::memset(row.dst, 3, row.bytes);
  }

 private:
  void wait() const { expect(stream_.synchronize()); }

  const shape shape_;
  const box box_{shape_.width, shape_.rows, 1};
  const stream stream_;
  const buffer dst_;
  const buffer src_;
  std::vector<copy> batch_;
};

// GB/s of the median round of each variant; the variants alternate.
template <std::size_t Count>
std::array<double, Count> measure(const shape& layout,
                                  const std::array<std::function<void()>, Count>& variants) {
  std::array<std::vector<double>, Count> seconds;
  for (int round = 0; round != rounds; ++round) {
    for (std::size_t i = 0; i != Count; ++i) {
      const std::size_t each = (i + static_cast<std::size_t>(round)) % Count;
      const auto start = clock::now();
      variants[each]();
      seconds[each].push_back(std::chrono::duration<double>(clock::now() - start).count());
    }
  }
  std::array<double, Count> rates{};
  for (std::size_t i = 0; i != Count; ++i) {
    rates[i] = static_cast<double>(layout.width * layout.rows) / tools::median(seconds[i]) / 1e9;
  }
  return rates;
}

void compare(const shape& layout) {
  const pitched_case held(layout);
  const auto [box, batch, loop] = measure<3>(
      layout, {[&] { held.copy_box(); }, [&] { held.copy_batch(); }, [&] { held.copy_loop(); }});
  const auto [filled, set] =
      measure<2>(layout, {[&] { held.fill_box(); }, [&] { held.fill_loop(); }});
  fmt::print(
      "{:>9} of {:>9} B x {:<7} copy {:6.2f} GB/s   as a batch {:5.2f} x   memcpy loop "
      "{:5.2f} x   fill {:6.2f} GB/s   memset loop {:5.2f} x\n",
      layout.width, layout.pitch, layout.rows, box, box / batch, box / loop, filled, filled / set);
}

}  // namespace
}  // namespace convoy::bench

int main() {
  fmt::print("ratios: speed of the pitched call relative to the other\n");
  for (const convoy::bench::shape& each : std::vector<convoy::bench::shape>{
           {64, 128, 512},
           {128, 256, 1024},
           {4096, 8192, 256},
           {128, 512, 262144},
           {1000, 1024, 131072},
           {4096, 8192, 32768},
           {65536, 131072, 2048},
           {268435456, 268435456, 1},
       })
    convoy::bench::compare(each);
}
