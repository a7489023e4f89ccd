// The functions of acl, acl.rt and acl.util, as tables that each part adds its rows to.
#pragma once

#include <vector>

#include "binding.hpp"

namespace convoy::python {

using table = std::vector<PyMethodDef>;

void add_root_rows(table& rows);

void add_device_rows(table& rows);
void add_stream_rows(table& rows);
void add_memory_rows(table& rows);
void add_copy_rows(table& rows);
void add_sharing_rows(table& rows);
void add_callback_rows(table& rows);

void add_address_rows(table& rows);

// For the part of the package that is written in Python.
void add_private_rows(table& rows);

}  // namespace convoy::python
