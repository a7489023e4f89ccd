#include "race_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace convoy::tools {
namespace {

// Ranges compared before the search ends: a few seconds.
constexpr std::size_t max_comparisons = std::size_t{1} << 30;

struct range {
  const std::byte* from;
  const std::byte* to;
};

// The bytes that a step writes and reads, each sorted and disjoint.
struct touched_bytes {
  std::vector<range> written;
  std::vector<range> read;
  bool written_twice = false;
};

// Sorts the ranges and merges those that overlap; true when there were any.
bool merge_overlapping(std::vector<range>& all) {
  std::ranges::sort(all, {}, &range::from);
  std::size_t last = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].from < all[last].to) {
      all[last].to = std::max(all[last].to, all[i].to);
    } else {
      all[++last] = all[i];
    }
  }
  const bool merged = !all.empty() && last + 1 != all.size();
  if (merged) all.resize(last + 1);
  return merged;
}

touched_bytes bytes_of(const prepared_step& step) {
  touched_bytes all;
  const auto add = [](std::vector<range>& to, const void* start, std::size_t bytes) {
    const auto* const at = static_cast<const std::byte*>(start);
    if (at != nullptr) to.push_back({at, at + bytes});
  };
  for (const copy& c : step.in_images) {
    add(all.written, c.dst, c.bytes);
    add(all.read, c.src, c.bytes);
  }
  if (step.box) {
    add(all.written, step.box->image.dst.start, step.box->dst_bytes);
    add(all.read, step.box->image.src.start, step.box->src_bytes);
  }
  all.written_twice = merge_overlapping(all.written);
  merge_overlapping(all.read);
  return all;
}

bool overlap(const std::vector<range>& a, const std::vector<range>& b) {
  for (std::size_t i = 0, j = 0; i != a.size() && j != b.size();) {
    if (a[i].from < b[j].to && b[j].from < a[i].to) return true;
    (a[i].to < b[j].to ? i : j) += 1;
  }
  return false;
}

bool conflict(const touched_bytes& a, const touched_bytes& b) {
  return overlap(a.written, b.written) || overlap(a.written, b.read) || overlap(a.read, b.written);
}

std::string name_step(const prepared_step& step) {
  return fmt::format("stream {}, ticket {}", step.from->stream, step.from->ticket);
}

// The steps that may still run when the next one starts.
class running_steps {
 public:
  void drop_landed_before(const prepared_step& next) {
    std::erase_if(all_,
                  [&](const running& each) { return each.step->landed < *next.from->started; });
  }

  // The conflict of the next step with one of them, as a sentence; empty when there is none.
  std::string conflict_with(const prepared_step& next, const touched_bytes& bytes) {
    for (const auto& [step, touched] : all_) {
      if (conflict(touched, bytes)) {
        return fmt::format("{} and {} overlap in time and in memory; order them with an event",
                           name_step(*step), name_step(next));
      }
      comparisons_ += bytes.written.size() + bytes.read.size() + touched.written.size();
      if (comparisons_ > max_comparisons) return "too many steps overlap in time to find two";
    }
    return "";
  }

  void add(const prepared_step& next, touched_bytes bytes) {
    all_.push_back({&next, std::move(bytes)});
  }

 private:
  struct running {
    const prepared_step* step;
    touched_bytes touched;
  };
  std::vector<running> all_;
  std::size_t comparisons_ = 0;
};

}  // namespace

std::string find_race(std::span<const prepared_step> steps) {
  running_steps running;
  for (const prepared_step& next : steps) {  // by time of start
    if (next.copies.empty() && !next.box) continue;
    touched_bytes bytes = bytes_of(next);
    if (bytes.written_twice || overlap(bytes.written, bytes.read)) {
      return fmt::format("{}: its copies overlap each other, and a batch has no order",
                         name_step(next));
    }
    running.drop_landed_before(next);
    if (std::string found = running.conflict_with(next, bytes); !found.empty()) return found;
    running.add(next, std::move(bytes));
  }
  return "";
}

}  // namespace convoy::tools
