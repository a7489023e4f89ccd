// The whole native API.
#pragma once

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
