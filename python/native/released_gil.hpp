// The GIL, released for the duration of a scope.
//
// Unlike nanobind's class it survives the end of the interpreter: a daemon thread that then asks
// for the GIL is terminated by unwinding, which the frames below do not allow. It sleeps until the
// process has exited instead.
#pragma once

#include <Python.h>
#include <unistd.h>

namespace convoy::python {

class released_gil {
 public:
  released_gil() noexcept : state_(PyEval_SaveThread()) {}
  ~released_gil() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      while (true) ::pause();
    }
  }
  released_gil(const released_gil&) = delete;
  released_gil& operator=(const released_gil&) = delete;

 private:
  PyThreadState* const state_;
};

}  // namespace convoy::python
