#include "calls/variables.hpp"

#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <map>
#include <mutex>
#include <string>

#include "shared/process_lifetime.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

struct variable {
  const void* module = nullptr;
  std::string name;
  std::size_t bytes = 0;
  void** managed_pointer = nullptr;  // null unless the variable is managed
  std::map<int, void*> memory;       // by device; a managed variable has one entry, for device 0
};

struct variable_registry {
  std::mutex mutex;
  std::map<const void*, variable> variables;

  // A managed variable is also found by the address of its memory.
  variable* find(const void* symbol) {
    if (const auto at = variables.find(symbol); at != variables.end()) return &at->second;
    for (auto& [shadow, each] : variables) {
      if (each.managed_pointer != nullptr && *each.managed_pointer == symbol) return &each;
    }
    return nullptr;
  }
};

status clear(device_id device, void* start, std::size_t bytes) {
  const auto temporary = make_stream(device, {.blocking = false});
  if (!temporary) return temporary.error();
  const auto filled = fill(*temporary, start, bytes, {});
  return filled ? temporary->synchronize() : filled.error();
}

call_status ensure_memory(variable& target, int device) {
  if (target.memory.contains(device)) return cudaSuccess;
  const device_id owner{device};
  const auto made = target.managed_pointer == nullptr ? allocate(owner, target.bytes)
                                                      : allocate_managed(target.bytes);
  if (!made) return made;
  if (const status s = clear(owner, *made, target.bytes); !s.ok()) return s;
  target.memory[device] = *made;
  if (target.managed_pointer != nullptr) *target.managed_pointer = *made;
  return cudaSuccess;
}

}  // namespace

void add_variable(const void* module, const void* symbol, const char* name, std::size_t bytes) {
  auto& table = process_object<variable_registry>();
  const std::lock_guard held(table.mutex);
  table.variables[symbol] = {module, name, bytes, nullptr, {}};
}

void add_managed_variable(const void* module, void** pointer, const char* name, std::size_t bytes) {
  auto& table = process_object<variable_registry>();
  const std::lock_guard held(table.mutex);
  table.variables[pointer] = {module, name, bytes, pointer, {}};
}

call_status initialize_module(const void* module) {
  auto& table = process_object<variable_registry>();
  const std::lock_guard held(table.mutex);
  for (auto& [symbol, each] : table.variables) {
    if (each.module != module || each.managed_pointer == nullptr) continue;
    if (const call_status s = ensure_memory(each, 0); !s.ok()) return s;
  }
  return cudaSuccess;
}

void remove_variables(const void* module) {
  auto& table = process_object<variable_registry>();
  const std::lock_guard held(table.mutex);
  for (auto& [symbol, each] : table.variables) {
    if (each.module != module) continue;
    for (const auto& [device, start] : each.memory) static_cast<void>(deallocate(start));
  }
  std::erase_if(table.variables, [&](const auto& each) { return each.second.module == module; });
}

void remove_variables_on(device_id device) {
  auto& table = process_object<variable_registry>();
  const std::lock_guard held(table.mutex);
  for (auto& [symbol, each] : table.variables) {
    if (each.managed_pointer != nullptr) continue;
    const auto freed = each.memory.extract(number(device));
    if (!freed.empty()) static_cast<void>(deallocate(freed.mapped()));
  }
}

call_status find_variable(int device, const void* symbol, variable_memory* found) {
  auto& table = process_object<variable_registry>();
  const std::lock_guard held(table.mutex);
  variable* const target = table.find(symbol);
  if (target == nullptr || target->bytes == 0) return cudaErrorInvalidSymbol;
  const int memory_device = target->managed_pointer == nullptr ? device : 0;
  if (const call_status s = ensure_memory(*target, memory_device); !s.ok()) return s;
  *found = {target->memory[memory_device], target->bytes};
  return cudaSuccess;
}

call_status size_of_variable(const void* symbol, std::size_t* bytes) {
  if (bytes == nullptr) return cudaErrorInvalidValue;
  auto& table = process_object<variable_registry>();
  const std::lock_guard held(table.mutex);
  const variable* const target = table.find(symbol);
  if (target == nullptr) return cudaErrorInvalidSymbol;
  *bytes = target->bytes;
  return cudaSuccess;
}

}  // namespace convoy::cuda
