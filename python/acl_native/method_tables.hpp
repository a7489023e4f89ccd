// The method tables of acl, acl.rt and acl.util. Each part adds its methods.
#pragma once

#include <vector>

#include "binding.hpp"

namespace convoy::python {

using method_table = std::vector<PyMethodDef>;

void add_root_methods(method_table& methods);

void add_device_methods(method_table& methods);
void add_stream_methods(method_table& methods);
void add_memory_methods(method_table& methods);
void add_copy_methods(method_table& methods);
void add_virtual_memory_methods(method_table& methods);
void add_callback_methods(method_table& methods);

void add_pointer_methods(method_table& methods);

// Methods that only the Python sources of the package call.
void add_private_methods(method_table& methods);

}  // namespace convoy::python
