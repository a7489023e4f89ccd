// Objects that live as long as the process.
#pragma once

namespace convoy::compat {

// The one T of the library: constructed by the first call, never destroyed. Static destructors of
// the program may call in after the destructors of the library would have run.
template <class T>
T& process_object() {
  static T* const object = new T;
  return *object;
}

}  // namespace convoy::compat
