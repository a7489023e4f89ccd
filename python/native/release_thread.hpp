// A thread that releases the kept objects of landed steps when no call of the program does.
//
// The engine requests a release on whatever thread a step landed, without the GIL. The thread then
// gives the program a few milliseconds to release the objects in a call of its own, which is free,
// before it takes the GIL. It sleeps otherwise.
#pragma once

namespace convoy::python {

// Starts the thread on the first call.
void start_release_thread();

// From any thread, with or without the GIL.
void request_release() noexcept;

// No object is kept any more: a pending request is obsolete.
void withdraw_release_request() noexcept;

// From now on the thread never takes the GIL.
void stop_release_thread() noexcept;

}  // namespace convoy::python
