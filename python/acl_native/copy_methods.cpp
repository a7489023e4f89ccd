// acl.rt: copies and fills.

#include <acl/acl.h>

#include "conversions.hpp"
#include "method_tables.hpp"

namespace convoy::python {
namespace {

// Returns the descriptor with the status, unlike the C function.
PyObject* set_memcpy_desc(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  void* descriptor = nullptr;
  aclrtMemcpyKind kind = {};
  void* src = nullptr;
  void* dst = nullptr;
  std::size_t count = 0;
  void* config = nullptr;
  if (!read_arguments("set_memcpy_desc", {arguments, argc}, descriptor, kind, src, dst, count,
                      config)) {
    return nullptr;
  }
  const aclError ret = call_with<gil::released>(
      [&] { return aclrtSetMemcpyDesc(descriptor, kind, src, dst, count, config); });
  return make_tuple<2>({to_python(descriptor), to_python(ret)});
}

// [{"dst_loc": {"id": 0, "type": 1}, "src_loc": {...}}, ...]
bool read_attributes(PyObject* list, std::vector<aclrtMemcpyBatchAttr>& attributes) {
  return read_items(list, "attrs", "a list of dicts", [&](PyObject* dict) {
    aclrtMemcpyBatchAttr& made = attributes.emplace_back();
    return is_dict(dict, "an item of attrs") && read_location(dict, "dstLoc", made.dstLoc) &&
           read_location(dict, "srcLoc", made.srcLoc);
  });
}

// The arguments that both forms of the call share.
struct batch_arguments {
  uint64_array dsts, capacities, srcs, sizes;
  std::size_t count = 0;
  std::vector<aclrtMemcpyBatchAttr> attributes;
  uint64_array starts;
  std::size_t runs = 0;

  bool read(PyObject* const* arguments) {
    return dsts.read(arguments[0], "dsts") && capacities.read(arguments[1], "dest_maxs") &&
           srcs.read(arguments[2], "srcs") && sizes.read(arguments[3], "sizes") &&
           from_python(arguments[4], count) && read_attributes(arguments[5], attributes) &&
           starts.read(arguments[6], "attrs_indexes") && from_python(arguments[7], runs) &&
           counts_fit();
  }

  // The C functions trust the counts; here they are checked against the lengths of the lists.
  [[nodiscard]] bool counts_fit() const {
    const bool valid = count <= dsts.size() && count <= capacities.size() && count <= srcs.size() &&
                       count <= sizes.size() && runs <= attributes.size() && runs <= starts.size();
    if (!valid)
      PyErr_SetString(PyExc_ValueError, "num_batches or num_attrs exceeds the length of its lists");
    return valid;
  }
};

// Every batch runs without the GIL, whatever its length: one item in pageable memory makes the
// asynchronous call wait until the whole batch has landed, and the synchronous call always waits.
template <class Call>
PyObject* run_batch(const Call& call) {
  std::size_t fail_index = SIZE_MAX;
  const aclError ret = call_with<gil::released>([&] { return call(&fail_index); });
  return make_tuple<2>({to_python(fail_index), to_python(ret)});
}

PyObject* memcpy_batch(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  batch_arguments a;
  if (!has_argument_count("memcpy_batch", argc, 8) || !a.read(arguments)) return nullptr;
  return run_batch([&](std::size_t* fail_index) {
    return aclrtMemcpyBatch(a.dsts.as<void*>(), a.capacities.as<std::size_t>(), a.srcs.as<void*>(),
                            a.sizes.as<std::size_t>(), a.count, a.attributes.data(),
                            a.starts.as<std::size_t>(), a.runs, fail_index);
  });
}

PyObject* memcpy_batch_async(PyObject*, PyObject* const* arguments, Py_ssize_t argc) {
  batch_arguments a;
  aclrtStream stream = nullptr;
  if (!has_argument_count("memcpy_batch_async", argc, 9) || !a.read(arguments) ||
      !from_python(arguments[8], stream)) {
    return nullptr;
  }
  return run_batch([&](std::size_t* fail_index) {
    return aclrtMemcpyBatchAsync(a.dsts.as<void*>(), a.capacities.as<std::size_t>(),
                                 a.srcs.as<void*>(), a.sizes.as<std::size_t>(), a.count,
                                 a.attributes.data(), a.starts.as<std::size_t>(), a.runs,
                                 fail_index, stream);
  });
}

}  // namespace

void add_copy_methods(method_table& methods) {
  methods.insert(
      methods.end(),
      {
          blocking_method<"memcpy", aclrtMemcpy>(),
          blocking_method<"memcpy_async", aclrtMemcpyAsync>(),
          blocking_method<"memcpy_async_with_condition", aclrtMemcpyAsyncWithCondition>(),
          blocking_method<"memcpy2d", aclrtMemcpy2d>(),
          blocking_method<"memcpy2d_async", aclrtMemcpy2dAsync>(),
          method<"get_memcpy_desc_size", aclrtGetMemcpyDescSize, outputs<1>>(),
          method("set_memcpy_desc", &set_memcpy_desc),
          blocking_method<"memcpy_async_with_desc", aclrtMemcpyAsyncWithDesc>(),
          method("memcpy_batch", &memcpy_batch),
          method("memcpy_batch_async", &memcpy_batch_async),
          blocking_method<"memset", aclrtMemset>(),
          blocking_method<"memset_async", aclrtMemsetAsync>(),
          method<"reduce_async", aclrtReduceAsync>(),
          method<"value_write", aclrtValueWrite>(),
          method<"value_wait", aclrtValueWait>(),
      });
}

}  // namespace convoy::python
