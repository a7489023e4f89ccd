#include "state/allocations.hpp"

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "state/context.hpp"

namespace convoy::cuda {
namespace {

// Kept to the end: programs free from their last destructors.
struct notebook {
  std::mutex mutex;
  std::unordered_map<const void*, allocation> notes;
  std::uint64_t ids = 0;

  static notebook& get() {
    static auto* const only = new notebook;
    return *only;
  }
};

// Set with the first wish, so that programs without one need not be looked up.
std::atomic<bool> anything_synchronous = false;

}  // namespace

void note(allocation made) {
  if (made.owner == nullptr) made.owner = owner_on(made.device);
  notebook& book = notebook::get();
  const std::lock_guard held(book.mutex);
  made.id = ++book.ids;
  book.notes[made.start] = made;
}

std::optional<allocation> note_of(const void* start) {
  notebook& book = notebook::get();
  const std::lock_guard held(book.mutex);
  const auto found = book.notes.find(start);
  if (found == book.notes.end()) return {};
  return found->second;
}

bool set_synchronous(const void* start, bool wanted) {
  notebook& book = notebook::get();
  const std::lock_guard held(book.mutex);
  const auto found = book.notes.find(start);
  if (found == book.notes.end()) return false;
  found->second.synchronous = wanted;
  if (wanted) anything_synchronous.store(true, std::memory_order_relaxed);
  return true;
}

bool is_synchronous(const void* start) {
  if (start == nullptr || !anything_synchronous.load(std::memory_order_relaxed)) return false;
  const auto known = note_of(start);
  return known && known->synchronous;
}

std::optional<allocation> forget(const void* start) {
  notebook& book = notebook::get();
  const std::lock_guard held(book.mutex);
  const auto found = book.notes.extract(start);
  if (found.empty()) return {};
  return found.mapped();
}

std::vector<allocation> notes_of(const context& owner) {
  notebook& book = notebook::get();
  const std::lock_guard held(book.mutex);
  std::vector<allocation> all;
  for (const auto& [start, each] : book.notes) {
    if (each.owner == &owner) all.push_back(each);
  }
  return all;
}

}  // namespace convoy::cuda
