// The exports of a process in shared memory, which other processes open by key.
//
// directory := header page-of-entries*
// header    := magic:"CNVYIPC1" secret:u64, in a page of its own
// entry     := generation:u32 kind:u32 membership body[48], a page
// A generation is odd while the entry is in use and rises on every change, so that a key, which
// contains the generation, is valid for one export only. The secret of a key is computed from that
// of the directory and all other fields of the key.
#pragma once

#include <array>
#include <atomic>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "base/mutex.hpp"
#include "ipc/membership.hpp"
#include "os/shared_pages.hpp"

namespace convoy::ipc {

struct key {
  std::int32_t process = 0;
  std::int32_t file = 0;  // descriptor of the directory in that process
  std::uint64_t started = 0;
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  std::uint64_t secret = 0;

  friend bool operator==(const key&, const key&) = default;
};
static_assert(sizeof(key) == 32);

enum class kind : std::uint32_t { memory = 1, event = 2 };

struct entry {
  std::atomic<std::uint32_t> generation;
  std::atomic<kind> contents;
  membership members;
  alignas(8) std::array<std::byte, 48> body;

  // The body as the type that belongs to the kind.
  template <class T>
  T& as() noexcept {
    static_assert(sizeof(T) <= sizeof body && alignof(T) <= 8);
    return *std::launder(reinterpret_cast<T*>(body.data()));
  }
};
static_assert(sizeof(entry) == 4096 && std::atomic<std::uint64_t>::is_always_lock_free);

// The body of a memory entry.
struct exported_range {
  std::int32_t device;
  std::int32_t file;  // descriptor of the pages in the exporting process
  std::uint64_t offset;
  std::uint64_t bytes;
  os::file_identity identity;  // of the file
};

class directory {
 public:
  // Null when no memory file can be created.
  static std::unique_ptr<directory> make();
  ~directory();
  directory(const directory&) = delete;
  directory& operator=(const directory&) = delete;

  struct addition {
    key name;
    ipc::entry* entry = nullptr;
  };

  // A new entry with zeroed members and body. out_of_memory when all are in use.
  result<addition> add(kind wanted);

  // False when the program has closed the descriptor, so that no other process can open the
  // directory.
  [[nodiscard]] bool is_open() const noexcept { return os::identity_of(file_) == identity_; }

  // The entry of a key; null when the key is of another directory or no longer valid.
  entry* find(const key& name);

  // Ends the entry. Its slot is reused when no process imports it any more.
  void remove(const key& name);

 private:
  directory(int file, std::byte* pages);
  [[nodiscard]] entry& at(std::uint32_t slot) const;
  std::uint32_t free_slot() CONVOY_REQUIRES(mutex_);

  const int file_;
  const os::file_identity identity_;
  std::byte* const pages_;
  const std::uint64_t secret_;
  key template_;

  mutex mutex_;
  std::vector<std::uint32_t> removed_ CONVOY_GUARDED_BY(mutex_);
  std::uint32_t used_ CONVOY_GUARDED_BY(mutex_) = 0;
};

// Maps an entry in the directory of another process while the pointer is held. destroyed_handle
// when the entry or its process has ended, not_permitted when the process cannot be accessed,
// invalid_handle for a wrong key or another kind.
result<std::shared_ptr<entry>> open_entry(const key& name, kind wanted);

}  // namespace convoy::ipc
