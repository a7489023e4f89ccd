// A thread that looks at the lanes when steps have landed and nobody else has looked.
//
// The engine leaves word on whatever thread a step landed, without the GIL. The thread then gives
// the program a few milliseconds to look itself, which costs nothing, before it asks for the GIL.
// It sleeps otherwise.
#pragma once

namespace convoy::python {

// Starts it, once.
void start_release_thread();

// From any thread, with or without the GIL.
void leave_word() noexcept;

// Somebody has looked and found nothing more to come.
void take_word_back() noexcept;

// From now on it never asks for the GIL.
void close_release_thread() noexcept;

}  // namespace convoy::python
