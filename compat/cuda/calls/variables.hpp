// Variables of device code. Their memory is allocated on each device on first use.
//
// Initial values are in device code, which Convoy does not read: every variable starts as zero.
#pragma once

#include <convoy/ids.hpp>
#include <cstddef>

#include "state/call_status.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// `symbol` is the host shadow variable, by whose address programs name the variable.
void add_variable(const void* module, const void* symbol, const char* name, std::size_t bytes);

// `pointer` is the program's variable that receives the address of the memory.
void add_managed_variable(const void* module, void** pointer, const char* name, std::size_t bytes);

// Allocates the memory of every managed variable of a module.
call_status initialize_module(const void* module);
void remove_variables(const void* module);

// Frees the memory of variables on a device, so that they start as zero again. Managed variables
// belong to no device and remain.
void remove_variables_on(device_id device);

struct variable_memory {
  void* start = nullptr;
  std::size_t bytes = 0;
};

// Finds the memory of a variable on a device. Returns cudaErrorInvalidSymbol for other symbols.
call_status find_variable(int device, const void* symbol, variable_memory* found);
call_status size_of_variable(const void* symbol, std::size_t* bytes);

}  // namespace convoy::cuda
