#include "ipc/directory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>

#include "os/pages.hpp"
#include "os/process.hpp"
#include "os/shared_pages.hpp"

namespace convoy::ipc {
namespace {

constexpr std::size_t page = 4096;
constexpr std::uint32_t slots = 1U << 16;
constexpr std::size_t directory_bytes = page + slots * sizeof(entry);
constexpr std::array<char, 8> magic{'C', 'N', 'V', 'Y', 'I', 'P', 'C', '1'};

struct header {
  std::array<char, 8> word;
  std::uint64_t secret;
};

std::size_t offset_of(std::uint32_t slot) { return page + slot * sizeof(entry); }

std::uint64_t new_secret() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

// The secret of a key is made from that of the directory and from all other fields: a damaged key
// is neither the key of another export nor one more key of the same.
std::uint64_t mixed(std::uint64_t secret, key name) {
  name.secret = secret;
  std::uint64_t mix = 0;
  for (const std::uint64_t word : std::bit_cast<std::array<std::uint64_t, 4>>(name)) {
    mix = (mix ^ word) * 0xBF58476D1CE4E5B9U;
    mix ^= mix >> 31;
  }
  return mix;
}

bool is_directory_of(int file, const key& name) {
  if (!os::keeps_size(file, directory_bytes)) return false;
  void* const first = os::map_shared(file, 0, page);
  if (first == nullptr) return false;
  header found;
  std::memcpy(&found, first, sizeof found);
  os::unmap_pages(first, page);
  return found.word == magic && mixed(found.secret, name) == name.secret;
}

bool is_live(const entry& e, const key& name) {
  return e.generation.load(std::memory_order_acquire) == name.generation &&  // stored by add()
         name.generation % 2 == 1;
}

}  // namespace

std::unique_ptr<directory> directory::make() {
  const int file = os::make_shared(directory_bytes);
  if (file < 0) return nullptr;
  auto* const pages = static_cast<std::byte*>(os::map_shared(file, 0, directory_bytes));
  if (pages != nullptr) return std::unique_ptr<directory>(new directory(file, pages));
  os::close_shared(file);
  return nullptr;
}

directory::directory(int file, std::byte* pages)
    : file_(file), identity_(os::identity_of(file)), pages_(pages), secret_(new_secret()) {
  const os::process_id self = os::this_process();
  template_ = {.process = self.number, .file = file, .started = self.started};
  const header first{magic, secret_};
  std::memcpy(pages_, &first, sizeof first);
}

directory::~directory() {
  os::unmap_pages(pages_, directory_bytes);
  if (is_open()) os::close_shared(file_);
}

entry& directory::at(std::uint32_t slot) const {
  return *reinterpret_cast<entry*>(pages_ + offset_of(slot));
}

std::uint32_t directory::free_slot() {
  const auto unused = std::ranges::find_if(
      removed_, [this](std::uint32_t slot) { return !at(slot).members.in_use(); });
  if (unused == removed_.end()) return used_ == slots ? slots : used_++;
  const std::uint32_t slot = *unused;
  removed_.erase(unused);
  return slot;
}

result<directory::addition> directory::add(kind wanted) {
  const lock held(mutex_);
  key name = template_;
  name.slot = free_slot();
  if (name.slot == slots) return status{errc::out_of_memory};
  entry& made = at(name.slot);
  name.generation = made.generation.load(std::memory_order_relaxed) + 1;
  name.secret = mixed(secret_, name);
  std::memset(static_cast<void*>(&made), 0, sizeof made);
  made.contents.store(wanted, std::memory_order_relaxed);
  made.generation.store(name.generation, std::memory_order_release);  // read by is_live
  return addition{name, &made};
}

entry* directory::find(const key& name) {
  key expected = template_;
  expected.slot = name.slot;
  expected.generation = name.generation;
  expected.secret = mixed(secret_, name);
  if (name != expected || name.slot >= slots) return nullptr;
  entry& found = at(name.slot);
  return is_live(found, name) ? &found : nullptr;
}

void directory::remove(const key& name) {
  entry* const removed = find(name);
  if (removed == nullptr) return;
  removed->members.withdrawn = 1;
  const lock held(mutex_);
  removed->generation.store(name.generation + 1, std::memory_order_release);  // read by is_live
  removed_.push_back(name.slot);
}

result<std::shared_ptr<entry>> open_entry(const key& name, kind wanted) {
  if (name.generation % 2 == 0 || name.slot >= slots || name.process <= 0) {
    return status{errc::invalid_handle};
  }
  if (!os::is_alive({name.process, name.started})) return status{errc::destroyed_handle};
  const int file = os::open_shared(name.process, name.file);
  if (file < 0) return status{errc::not_permitted};

  const bool matches = is_directory_of(file, name);
  const std::size_t offset = offset_of(name.slot);
  void* const pages = matches ? os::map_shared(file, offset / page * page, page) : nullptr;
  os::close_shared(file);
  if (pages == nullptr) return status{matches ? errc::out_of_memory : errc::invalid_handle};

  const std::shared_ptr<std::byte> mapping(static_cast<std::byte*>(pages),
                                           [](std::byte* p) { os::unmap_pages(p, page); });
  auto* const found = reinterpret_cast<entry*>(mapping.get() + offset % page);
  if (!is_live(*found, name)) return status{errc::destroyed_handle};
  if (found->contents.load(std::memory_order_relaxed) != wanted)
    return status{errc::invalid_handle};
  return std::shared_ptr<entry>(mapping, found);
}

}  // namespace convoy::ipc
