#include <algorithm>
#include <convoy/configuration.hpp>

#include "runtime/engine.hpp"

namespace convoy {

result<std::vector<setting>> settings() {
  const auto config = engine::planned_configuration();
  if (!config) return config.error();
  std::vector<setting> all;
  for (const resolved_variable& each : resolved_variables(*config)) {
    all.push_back({each.name, each.accepts, each.meaning, each.value, each.source});
  }
  return all;
}

result<std::string> setting_value(std::string_view name) {
  const auto all = settings();
  if (!all) return all.error();
  const auto found = std::ranges::find(*all, name, &setting::name);
  if (found == all->end()) return status{errc::invalid_argument};
  return found->value;
}

}  // namespace convoy
