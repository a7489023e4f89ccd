// The whole native API: devices, memory, streams, events and batches of copies, run by CPU threads.
//
// The first call of a process reads the CONVOY_ variables, reserves address space, starts the
// worker threads and installs a handler for SIGSEGV and SIGBUS, which passes faults that are not
// Convoy's on to the handler that was installed before. The runtime then lives until the process
// ends; a process may exit at any time, with work pending or threads waiting.
//
// Threads: any thread may call any function; status.hpp lists what every call has in common. The
// owning classes (stream, event, buffer, batch, failure_callback) are ordinary C++ objects: threads
// may share one, but moving or destroying it needs the same care as for a std::unique_ptr.
//
// fork(): a child of a process that has used Convoy gets `forked` from every call and may only
// destroy what it inherited. A child that is forked before the first call can use Convoy.
#pragma once

#include <convoy/api_function.hpp>
#include <convoy/batch.hpp>
#include <convoy/buffer.hpp>
#include <convoy/configuration.hpp>
#include <convoy/copy.hpp>
#include <convoy/device.hpp>
#include <convoy/event.hpp>
#include <convoy/failures.hpp>
#include <convoy/ids.hpp>
#include <convoy/ipc.hpp>
#include <convoy/location.hpp>
#include <convoy/memory.hpp>
#include <convoy/metrics.hpp>
#include <convoy/reduction.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <convoy/stream.hpp>
