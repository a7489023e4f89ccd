#include "calls/variables.hpp"

#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <map>
#include <mutex>
#include <string>

namespace convoy::cuda {
namespace {

struct variable {
  const void* module = nullptr;
  std::string name;
  std::size_t bytes = 0;
  void** managed_at = nullptr;  // set for a managed variable
  std::map<int, void*> memory;  // by device; a managed variable has one, under 0
};

struct registry {
  std::mutex mutex;
  std::map<const void*, variable> variables;

  static registry& get() {
    static auto* const only = new registry;
    return *only;
  }

  // Managed variables are also named by their memory.
  variable* find(const void* symbol) {
    if (const auto at = variables.find(symbol); at != variables.end()) return &at->second;
    for (auto& [shadow, each] : variables) {
      if (each.managed_at != nullptr && *each.managed_at == symbol) return &each;
    }
    return nullptr;
  }
};

status clear(device_id device, void* start, std::size_t bytes) {
  const auto aside = make_stream(device, {.blocking = false});
  if (!aside) return aside.error();
  const auto at = fill(*aside, start, bytes, {});
  return at ? aside->synchronize() : at.error();
}

outcome provide(variable& which, int device) {
  if (which.memory.contains(device)) return cudaSuccess;
  const device_id on{device};
  const auto made =
      which.managed_at == nullptr ? allocate(on, which.bytes) : allocate_managed(which.bytes);
  if (!made) return made;
  if (const status s = clear(on, *made, which.bytes); !s.ok()) return s;
  which.memory[device] = *made;
  if (which.managed_at != nullptr) *which.managed_at = *made;
  return cudaSuccess;
}

}  // namespace

void add_variable(const void* module, const void* symbol, const char* name, std::size_t bytes) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  all.variables[symbol] = {module, name, bytes, nullptr, {}};
}

void add_managed_variable(const void* module, void** pointer, const char* name, std::size_t bytes) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  all.variables[pointer] = {module, name, bytes, pointer, {}};
}

outcome start_module(const void* module) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  for (auto& [symbol, each] : all.variables) {
    if (each.module != module || each.managed_at == nullptr) continue;
    if (const outcome o = provide(each, 0); !o.ok()) return o;
  }
  return cudaSuccess;
}

void forget_variables(const void* module) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  for (auto& [symbol, each] : all.variables) {
    if (each.module != module) continue;
    for (const auto& [device, start] : each.memory) static_cast<void>(deallocate(start));
  }
  std::erase_if(all.variables, [&](const auto& each) { return each.second.module == module; });
}

void forget_variables_on(device_id device) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  for (auto& [symbol, each] : all.variables) {
    if (each.managed_at != nullptr) continue;
    const auto gone = each.memory.extract(number(device));
    if (!gone.empty()) static_cast<void>(deallocate(gone.mapped()));
  }
}

outcome find_variable(int device, const void* symbol, variable_memory* found) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  variable* const which = all.find(symbol);
  if (which == nullptr || which->bytes == 0) return cudaErrorInvalidSymbol;
  const int where = which->managed_at == nullptr ? device : 0;
  if (const outcome o = provide(*which, where); !o.ok()) return o;
  *found = {which->memory[where], which->bytes};
  return cudaSuccess;
}

outcome size_of_variable(const void* symbol, std::size_t* bytes) {
  if (bytes == nullptr) return cudaErrorInvalidValue;
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  const variable* const which = all.find(symbol);
  if (which == nullptr) return cudaErrorInvalidSymbol;
  *bytes = which->bytes;
  return cudaSuccess;
}

}  // namespace convoy::cuda
