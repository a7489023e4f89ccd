// Traces made record by record: valid ones, and mutants that are valid but for a few fields,
// records or bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seam/observer.hpp"
#include "trace/record.hpp"
#include "trace/trace_format.hpp"

namespace convoy::test {

struct trace_field {
  enum class encoding { number, byte, word } encoded = encoding::number;
  std::uint64_t value = 0;
};

struct trace_record {
  trace::record_kind kind = trace::record_kind::thread;
  std::vector<trace_field> fields;

  trace_record& number(std::uint64_t value) { return add(trace_field::encoding::number, value); }
  trace_record& signed_number(std::int64_t value) { return number(trace::zigzag(value)); }
  trace_record& byte(std::uint64_t value) { return add(trace_field::encoding::byte, value); }
  trace_record& word(std::uint64_t value) { return add(trace_field::encoding::word, value); }

 private:
  trace_record& add(trace_field::encoding encoded, std::uint64_t value) {
    fields.push_back({encoded, value});
    return *this;
  }
};

inline std::string encode(const trace_record& from) {
  std::string text(trace::record_head, '\0');
  for (const trace_field& each : from.fields) {
    std::array<std::byte, trace::longest_number> buffer;
    std::byte* end = buffer.data();
    switch (each.encoded) {
      case trace_field::encoding::number: end = trace::put_number(end, each.value); break;
      case trace_field::encoding::byte: *end++ = static_cast<std::byte>(each.value); break;
      case trace_field::encoding::word:
        std::memcpy(end, &each.value, 4);
        end += 4;
        break;
    }
    text.append(reinterpret_cast<const char*>(buffer.data()),
                static_cast<std::size_t>(end - buffer.data()));
  }
  text.resize((text.size() + 3) / 4 * 4);
  const auto length = static_cast<std::uint32_t>(text.size());
  std::memcpy(text.data(), &length, sizeof length);
  text[4] = static_cast<char>(from.kind);
  return text;
}

// A file with one chunk, as long as its records.
inline std::string encode(const std::vector<trace_record>& records) {
  constexpr std::size_t chunk = 4096;
  std::string body;
  for (const trace_record& each : records) body += encode(each);
  const std::size_t chunk_bytes = std::max(chunk, body.size());
  std::string file(chunk_bytes, '\0');
  std::memcpy(file.data(), trace::magic.data(), trace::magic.size());
  const std::uint32_t version = trace::version;
  const auto length = static_cast<std::uint32_t>(chunk_bytes);
  std::memcpy(file.data() + trace::version_at, &version, sizeof version);
  std::memcpy(file.data() + trace::chunk_bytes_at, &length, sizeof length);
  return file + body;
}

inline trace_record step_record(trace::record_kind kind, std::uint64_t stream,
                                std::uint64_t ticket) {
  trace_record made{kind, {}};
  made.number(stream).number(ticket);
  return made;
}

inline trace_record allocated(std::uint64_t time, std::uint64_t address, std::uint64_t bytes,
                              memory_kind kind, std::uint64_t device = 0) {
  trace_record made{trace::record_kind::allocated, {}};
  made.number(time).number(address).number(bytes).byte(static_cast<std::uint8_t>(kind));
  return made.number(device);
}

// The records of a step without its shape.
struct step_fields {
  std::uint64_t stream = 1;
  std::uint64_t ticket = 1;
  std::uint64_t time = 1000;  // of its submission; it starts 10 later and lands 100 later
  step_kind kind = step_kind::copies;
  std::uint64_t items = 1;
  std::uint64_t bytes = 0;
  std::uint64_t device = 0;
  std::uint64_t outcome = 0;
};

inline void add_step(std::vector<trace_record>& to, const step_fields& step) {
  using trace::record_kind;
  trace_record submitted = step_record(record_kind::submitted, step.stream, step.ticket);
  submitted.number(step.time).number(step.device).byte(static_cast<std::uint8_t>(step.kind));
  submitted.number(step.items).number(step.bytes).byte(1).number(0);
  to.push_back(std::move(submitted));
  to.push_back(step_record(record_kind::started, step.stream, step.ticket).number(step.time + 10));
  to.push_back(step_record(record_kind::landed, step.stream, step.ticket)
                   .number(step.time + 100)
                   .byte(step.outcome)
                   .number(0));
}

inline trace_record regular_shape(const step_fields& step, std::uint64_t count, std::uint64_t bytes,
                                  std::uint64_t dst, std::uint64_t src, std::int64_t stride) {
  trace_record made = step_record(trace::record_kind::shape, step.stream, step.ticket);
  made.number(0).number(count).byte(static_cast<std::uint8_t>(trace::layout::regular));
  made.number(bytes).number(dst).number(src);
  return made.signed_number(stride).signed_number(stride);
}

inline trace_record box_shape(const step_fields& step, std::initializer_list<std::uint64_t> box) {
  trace_record made = step_record(trace::record_kind::shape, step.stream, step.ticket);
  made.number(0).number(1).byte(static_cast<std::uint8_t>(trace::layout::box));
  for (const std::uint64_t each : box) made.number(each);
  return made;
}

// A program of a few allocations and steps, one after another, whose copies do not overlap.
class random_trace {
 public:
  explicit random_trace(std::uint64_t seed) : random_(seed) {
    records_.push_back(trace_record{trace::record_kind::thread, {}}.number(7).number(0));
    for (std::uint64_t i = 0; i != regions; ++i) {
      // Region 0 is memory that no record names.
      if (i != 0) records_.push_back(allocated(i, address(i), region_bytes, kind(i), below(2)));
    }
    const std::uint64_t steps = 1 + below(8);
    for (std::uint64_t i = 0; i != steps; ++i) add_random_step(i);
  }

  [[nodiscard]] std::string valid() const { return encode(records_); }

  // Changes up to four fields, records or bytes.
  std::string mutant() {
    std::vector<trace_record> changed = records_;
    const std::uint64_t changes = 1 + below(4);
    for (std::uint64_t i = 0; i != changes && !changed.empty(); ++i) mutate(changed);
    std::string file = encode(changed);
    if (below(8) == 0) file[below(file.size())] = static_cast<char>(below(256));
    if (below(16) == 0) file.resize(below(file.size() + 1));
    return file;
  }

 private:
  static constexpr std::uint64_t regions = 6;  // one of each kind, and one of unrecorded memory
  static constexpr std::uint64_t region_bytes = 32768;
  static constexpr std::uint64_t half = region_bytes / 2;  // sources below, destinations above

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  static std::uint64_t address(std::uint64_t region) { return (region + 1) << 28; }
  static memory_kind kind(std::uint64_t region) { return static_cast<memory_kind>(region - 1); }

  void add_random_step(std::uint64_t number) {
    constexpr std::array kinds{step_kind::copies,  step_kind::copies,  step_kind::copies,
                               step_kind::fill,    step_kind::pitched, step_kind::reduce,
                               step_kind::function};
    step_fields step{.stream = 1 + below(3), .ticket = number + 1, .time = 1000 * (number + 1)};
    step.kind = kinds[below(kinds.size())];
    const std::uint64_t dst = address(below(regions)) + half;
    const std::uint64_t src = address(below(regions));
    const std::uint64_t bytes = 1 + below(300);
    const std::uint64_t count = 1 + below(40);
    step.items = count + (below(8) == 0 ? below(100) : 0);
    step.bytes = step.items * bytes;
    if (below(10) == 0) step.outcome = 1 + below(20);
    add_step(records_, step);
    if (step.kind == step_kind::copies) {
      add_copies(step, count, bytes, dst, src);
    } else if (step.kind != step_kind::function) {
      const std::uint64_t height = step.kind == step_kind::reduce ? 1 : 1 + below(6);
      const std::uint64_t depth = step.kind == step_kind::reduce ? 1 : 1 + below(4);
      const std::uint64_t pitch = bytes + below(100);
      records_.push_back(box_shape(step, {dst, step.kind == step_kind::fill ? 0 : src, pitch, pitch,
                                          height, height, bytes, height, depth}));
    }
  }

  void add_copies(const step_fields& step, std::uint64_t count, std::uint64_t bytes,
                  std::uint64_t dst, std::uint64_t src) {
    const auto stride = static_cast<std::int64_t>(bytes + below(100));
    const std::uint64_t encoding = below(3);
    if (encoding == 0) {
      records_.push_back(regular_shape(step, count, bytes, dst, src, stride));
      return;
    }
    trace_record made = step_record(trace::record_kind::shape, step.stream, step.ticket);
    made.number(0).number(count).byte(encoding);
    if (encoding == static_cast<std::uint64_t>(trace::layout::grid)) {
      made.number(bytes).byte(9).number(dst).number(src);  // slots of 512 bytes
      for (std::uint64_t i = 0; i != count; ++i) made.word(i * 7 % count % 32);
      for (std::uint64_t i = 0; i != count; ++i) made.word(i % 32);
      made.fields[3].value = std::min<std::uint64_t>(count, 32);
    } else {
      for (std::uint64_t i = 0; i != count; ++i) {
        made.number(bytes).signed_number(i == 0 ? static_cast<std::int64_t>(dst) : stride);
        made.signed_number(i == 0 ? static_cast<std::int64_t>(src) : stride);
      }
    }
    records_.push_back(std::move(made));
  }

  std::uint64_t interesting(std::uint64_t value) {
    switch (below(12)) {
      case 0: return 0;
      case 1: return UINT64_MAX;
      case 2: return std::uint64_t{1} << 63;
      case 3: return std::uint64_t{1} << below(64);
      case 4: return value + 1;
      case 5: return value - 1;
      case 6: return ~value + 1;
      case 7: return value * 2;
      case 8: return below(8);
      case 9: return address(below(regions + 1)) + below(2 * region_bytes);
      case 10: return UINT64_MAX - below(region_bytes);
      default: return 4095 + below(3);
    }
  }

  void mutate(std::vector<trace_record>& all) {
    trace_record& one = all[below(all.size())];
    switch (below(10)) {
      case 0: all.erase(all.begin() + static_cast<std::ptrdiff_t>(below(all.size()))); return;
      case 1: all.push_back(trace_record(one)); return;
      case 2: std::swap(one, all[below(all.size())]); return;
      case 3: one.kind = static_cast<trace::record_kind>(below(10)); return;
      case 4: one.fields.resize(below(one.fields.size() + 1)); return;
      default: break;
    }
    if (one.fields.empty()) return;
    trace_field& field = one.fields[below(one.fields.size())];
    field.value = interesting(field.value);
  }

  std::mt19937_64 random_;
  std::vector<trace_record> records_;
};

}  // namespace convoy::test
