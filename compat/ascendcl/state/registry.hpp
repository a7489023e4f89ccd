// Objects by the number in their handle.
//
// A number is never reused, so the handle of a destroyed object finds nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace convoy::ascendcl {

inline void* to_handle(std::uint64_t number) { return reinterpret_cast<void*>(number); }
inline std::uint64_t number_of(const void* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

template <class T>
class registry {
 public:
  void insert(std::uint64_t number, std::shared_ptr<T> object) {
    const std::unique_lock held(mutex_);
    objects_.emplace(number, std::move(object));
  }

  [[nodiscard]] std::shared_ptr<T> find(std::uint64_t number) const {
    const std::shared_lock held(mutex_);
    const auto found = objects_.find(number);
    return found == objects_.end() ? nullptr : found->second;
  }

  // Null when there is no such object.
  std::shared_ptr<T> remove(std::uint64_t number) {
    const std::unique_lock held(mutex_);
    const auto taken = objects_.extract(number);
    return taken.empty() ? nullptr : taken.mapped();
  }

  [[nodiscard]] std::size_t size() const {
    const std::shared_lock held(mutex_);
    return objects_.size();
  }

  template <class Predicate>
  [[nodiscard]] std::vector<std::shared_ptr<T>> find_all(const Predicate& predicate) const {
    std::vector<std::shared_ptr<T>> all;
    const std::shared_lock held(mutex_);
    for (const auto& [number, object] : objects_) {
      if (predicate(*object)) all.push_back(object);
    }
    return all;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<T>> objects_;
};

}  // namespace convoy::ascendcl
