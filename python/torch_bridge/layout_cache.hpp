// Layouts of results, by what decides them: sizes, strides, dtypes, values.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace convoy::torch_bridge {

struct tensor_layout {
  bool defined = false;
  at::ScalarType dtype = at::ScalarType::Float;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
};

struct result_layout {
  bool is_list = false;
  std::vector<tensor_layout> tensors;  // one unless it is a list; none if it aliases an argument
};

struct call_layout {
  bool predictable = true;  // false: only the computation can tell
  std::vector<result_layout> results;
};

class layout_cache {
 public:
  [[nodiscard]] std::shared_ptr<const call_layout> find(const std::string& signature) const;
  void add(const std::string& signature, std::shared_ptr<const call_layout> layout);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const call_layout>> layouts_;
};

}  // namespace convoy::torch_bridge
