// The registry of kernels, their host stubs, and the host functions that run in their place.
//
// The program's modules register stubs before main, in any order; programs and plug-ins register
// host functions at any time. A launch looks up both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "convoy_kernels.h"
#include "state/call_status.hpp"

namespace convoy::cuda {

// A kernel, identified by its mangled name. Never deleted; its address is its handle.
struct kernel;

struct host_function {
  convoy_kernel_function run = nullptr;
  std::vector<convoy_kernel_parameter> parameters;
  convoy_kernel_extent extent = nullptr;
  void* user = nullptr;
};

// `module` is an address that is unique to the module.
void add_kernel(const void* module, const void* stub, const char* name);
void remove_kernels(const void* module);

// Finds a kernel by its stub or its handle; null if the address is neither.
const kernel* find_kernel(const void* stub_or_kernel);
const std::string& name_of(const kernel& known);

// The kernel with this mangled name, which becomes known if it is not.
const kernel* kernel_named(const char* name);

// Registers or removes a host function, as convoy_add_kernel() says.
call_status add_host_function(const convoy_kernel& definition);

// Null if the kernel has no host function.
std::shared_ptr<const host_function> host_function_of(const kernel& launched);

}  // namespace convoy::cuda
