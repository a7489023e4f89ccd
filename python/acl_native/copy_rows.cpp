// acl.rt: copies and fills.

#include <acl/acl.h>

#include "records.hpp"
#include "tables.hpp"

namespace convoy::python {
namespace {

// The descriptor comes back with the outcome, unlike in C.
PyObject* set_memcpy_desc(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  void* descriptor = nullptr;
  aclrtMemcpyKind kind = {};
  void* src = nullptr;
  void* dst = nullptr;
  std::size_t count = 0;
  void* config = nullptr;
  if (!has_arguments("set_memcpy_desc", given, 6) || !from_python(arguments[0], descriptor) ||
      !from_python(arguments[1], kind) || !from_python(arguments[2], src) ||
      !from_python(arguments[3], dst) || !from_python(arguments[4], count) ||
      !from_python(arguments[5], config)) {
    return nullptr;
  }
  const aclError ret = call_with<gil::released>(
      [&] { return aclrtSetMemcpyDesc(descriptor, kind, src, dst, count, config); });
  return pack<2>({to_python(descriptor), to_python(ret)});
}

// [{"dst_loc": {"id": 0, "type": 1}, "src_loc": {...}}, ...]
bool read_attributes(PyObject* given, std::vector<aclrtMemcpyBatchAttr>& attributes) {
  PyObject* const items = PySequence_Fast(given, "attrs must be a list of dicts");
  if (items == nullptr) return false;
  bool good = true;
  for (Py_ssize_t i = 0; good && i != PySequence_Fast_GET_SIZE(items); ++i) {
    PyObject* const each = PySequence_Fast_GET_ITEM(items, i);
    aclrtMemcpyBatchAttr& made = attributes.emplace_back();
    good = is_dict(each, "an item of attrs") && read_location(each, "dstLoc", made.dstLoc) &&
           read_location(each, "srcLoc", made.srcLoc);
  }
  Py_DECREF(items);
  return good;
}

// The arguments of a batch, as both forms of the call take them.
struct batch_arguments {
  numbers dsts, capacities, srcs, sizes;
  std::size_t count = 0;
  std::vector<aclrtMemcpyBatchAttr> attributes;
  numbers starts;
  std::size_t runs = 0;

  bool read(PyObject* const* given) {
    return dsts.read(given[0], "dsts") && capacities.read(given[1], "dest_maxs") &&
           srcs.read(given[2], "srcs") && sizes.read(given[3], "sizes") &&
           from_python(given[4], count) && read_attributes(given[5], attributes) &&
           starts.read(given[6], "attrs_indexes") && from_python(given[7], runs) && fit();
  }

  // C trusts the counts; here they must not reach past the lists.
  [[nodiscard]] bool fit() const {
    const bool good = count <= dsts.size() && count <= capacities.size() && count <= srcs.size() &&
                      count <= sizes.size() && runs <= attributes.size() && runs <= starts.size();
    if (!good) PyErr_SetString(PyExc_ValueError, "num_batches or num_attrs exceeds its lists");
    return good;
  }
};

// Batches of more copies take long enough to check that other Python threads should run meanwhile,
// and a pageable pointer in any batch makes the call wait.
template <class Call>
PyObject* answer_batch(const Call& call) {
  std::size_t fail_index = SIZE_MAX;
  const aclError ret = call_with<gil::released>([&] { return call(&fail_index); });
  return pack<2>({to_python(fail_index), to_python(ret)});
}

PyObject* memcpy_batch(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  batch_arguments a;
  if (!has_arguments("memcpy_batch", given, 8) || !a.read(arguments)) return nullptr;
  return answer_batch([&](std::size_t* fail_index) {
    return aclrtMemcpyBatch(a.dsts.as<void*>(), a.capacities.as<std::size_t>(), a.srcs.as<void*>(),
                            a.sizes.as<std::size_t>(), a.count, a.attributes.data(),
                            a.starts.as<std::size_t>(), a.runs, fail_index);
  });
}

PyObject* memcpy_batch_async(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
  batch_arguments a;
  aclrtStream stream = nullptr;
  if (!has_arguments("memcpy_batch_async", given, 9) || !a.read(arguments) ||
      !from_python(arguments[8], stream)) {
    return nullptr;
  }
  return answer_batch([&](std::size_t* fail_index) {
    return aclrtMemcpyBatchAsync(a.dsts.as<void*>(), a.capacities.as<std::size_t>(),
                                 a.srcs.as<void*>(), a.sizes.as<std::size_t>(), a.count,
                                 a.attributes.data(), a.starts.as<std::size_t>(), a.runs,
                                 fail_index, stream);
  });
}

}  // namespace

void add_copy_rows(table& rows) {
  rows.insert(rows.end(),
              {
                  waiting_row<"memcpy", aclrtMemcpy>(),
                  waiting_row<"memcpy_async", aclrtMemcpyAsync>(),
                  waiting_row<"memcpy_async_with_condition", aclrtMemcpyAsyncWithCondition>(),
                  waiting_row<"memcpy2d", aclrtMemcpy2d>(),
                  waiting_row<"memcpy2d_async", aclrtMemcpy2dAsync>(),
                  row<"get_memcpy_desc_size", aclrtGetMemcpyDescSize, outputs<1>>(),
                  row("set_memcpy_desc", &set_memcpy_desc),
                  waiting_row<"memcpy_async_with_desc", aclrtMemcpyAsyncWithDesc>(),
                  row("memcpy_batch", &memcpy_batch),
                  row("memcpy_batch_async", &memcpy_batch_async),
                  waiting_row<"memset", aclrtMemset>(),
                  waiting_row<"memset_async", aclrtMemsetAsync>(),
                  row<"reduce_async", aclrtReduceAsync>(),
                  row<"value_write", aclrtValueWrite>(),
                  row<"value_wait", aclrtValueWait>(),
              });
}

}  // namespace convoy::python
