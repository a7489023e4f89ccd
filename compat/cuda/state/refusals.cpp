#include "state/refusals.hpp"

#include <algorithm>
#include <convoy/configuration.hpp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace convoy::cuda {
namespace {

constexpr std::size_t remembered = 100;
constexpr int level_error = 0;

struct listener_entry {
  std::uint64_t key;
  refusal_listener hear;
  void* context;
};

// Built at the first refusal and kept, for refusals in the last moments of the process.
struct journal {
  std::mutex mutex;
  std::deque<std::string> lines;
  std::uint32_t next = 0;
  std::vector<listener_entry> listeners;
  std::uint64_t keys = 0;
  std::FILE* file = open();

  static journal& get() {
    static auto* const only = new journal;
    return *only;
  }

  static std::FILE* open() {
    const auto asked = setting_value("CONVOY_LOG");
    if (asked && *asked == "failures") return stderr;
    const char* const named = std::getenv("CUDA_LOG_FILE");
    if (named == nullptr) return nullptr;
    const std::string_view where(named);
    if (where == "stderr") return stderr;
    return where == "stdout" ? stdout : std::fopen(named, "ae");
  }

  void add(const std::string& line) {
    lines.push_back(line);
    if (lines.size() > remembered) lines.pop_front();
    ++next;
    if (file == nullptr) return;
    std::fprintf(file, "%s\n", line.c_str());
    std::fflush(file);
  }
};

void note(std::string line) {
  journal& all = journal::get();
  std::vector<listener_entry> hearing;
  {
    const std::lock_guard held(all.mutex);
    all.add(line);
    hearing = all.listeners;
  }
  for (const listener_entry& each : hearing) {
    each.hear(each.context, level_error, line.data(), line.size());
  }
}

std::string sentence_of(const outcome& why) {
  const error_words* const words = words_of(why.code());
  std::string made = words == nullptr ? "unrecognized error code" : words->runtime_name;
  if (!why.why().ok()) made += ": " + explain(why.why());
  return made;
}

}  // namespace

void note_refusal(const char* function, const outcome& why) noexcept {
  try {
    note(std::string(function) + ": " + sentence_of(why));
  } catch (const std::bad_alloc&) {
    return;  // the code of the call itself says as much
  }
}

void note_refusal(const char* function, std::string_view sentence) noexcept {
  try {
    note(std::string(function) + ": " + std::string(sentence));
  } catch (const std::bad_alloc&) {
    return;
  }
}

std::uint32_t next_refusal() noexcept {
  journal& all = journal::get();
  const std::lock_guard held(all.mutex);
  return all.next;
}

std::string refusals_since(std::uint32_t first, std::size_t most) {
  journal& all = journal::get();
  const std::lock_guard held(all.mutex);
  const auto oldest = all.next - static_cast<std::uint32_t>(all.lines.size());
  std::string made;
  for (std::uint32_t i = std::max(first, oldest); i < all.next; ++i) {
    const std::string& line = all.lines[i - oldest];
    if (made.size() + line.size() + 1 > most) break;
    made += line + "\n";
  }
  return made;
}

std::uint64_t add_listener(refusal_listener listener, void* context) {
  journal& all = journal::get();
  const std::lock_guard held(all.mutex);
  all.listeners.push_back({++all.keys, std::move(listener), context});
  return all.keys;
}

bool forget_listener(std::uint64_t which) {
  journal& all = journal::get();
  const std::lock_guard held(all.mutex);
  return std::erase_if(all.listeners, [&](const auto& each) { return each.key == which; }) != 0;
}

}  // namespace convoy::cuda
