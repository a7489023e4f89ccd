// What libconvoy.so shows to the world; everything unmarked stays inside.
#pragma once

#define CONVOY_EXPORT __attribute__((visibility("default")))
