// CONVOY_EXPORT marks what libconvoy.so exports; everything else in it is hidden.
#pragma once

#if __cplusplus < 202002L
#error "Convoy needs C++20: compile with -std=c++20 or later"
#endif

#define CONVOY_EXPORT __attribute__((visibility("default")))
