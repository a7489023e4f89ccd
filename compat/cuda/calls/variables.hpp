// Variables of device code: memory on each device, made when it is first asked for.
//
// Initial values are in code for devices, which Convoy does not read: all variables begin as zero.
#pragma once

#include <convoy/ids.hpp>
#include <cstddef>

#include "state/call_status.hpp"
#include "types/memory.h"

namespace convoy::cuda {

// `symbol` is the variable's shadow on the host, by which programs name it.
void add_variable(const void* module, const void* symbol, const char* name, std::size_t bytes);

// `pointer` is where the program looks for the address of the variable's memory.
void add_managed_variable(const void* module, void** pointer, const char* name, std::size_t bytes);

// Gives every managed variable of the module its memory.
call_status initialize_module(const void* module);
void remove_variables(const void* module);

// The variables of a device are zero again; managed ones are of no device and stay.
void remove_variables_on(device_id device);

struct variable_memory {
  void* start = nullptr;
  std::size_t bytes = 0;
};

// On the device, or anywhere for a managed one; cudaErrorInvalidSymbol when it is not a variable.
call_status find_variable(int device, const void* symbol, variable_memory* found);
call_status size_of_variable(const void* symbol, std::size_t* bytes);

}  // namespace convoy::cuda
