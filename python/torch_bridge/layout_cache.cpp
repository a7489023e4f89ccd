#include "layout_cache.hpp"

namespace convoy::torch_bridge {
namespace {

constexpr std::size_t max_layouts = 4096;  // of one operator

}  // namespace

std::shared_ptr<const call_layout> layout_cache::find(const std::string& signature) const {
  const std::lock_guard held(mutex_);
  const auto found = layouts_.find(signature);
  return found == layouts_.end() ? nullptr : found->second;
}

void layout_cache::add(const std::string& signature, std::shared_ptr<const call_layout> layout) {
  const std::lock_guard held(mutex_);
  if (layouts_.size() >= max_layouts) layouts_.clear();
  layouts_[signature] = std::move(layout);
}

}  // namespace convoy::torch_bridge
