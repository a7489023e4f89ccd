#include "stream/actions.hpp"

namespace convoy {

status function_action::run() {
  try {
    function_();
  } catch (...) {
    return {errc::function_threw};
  }
  return {};
}

}  // namespace convoy
