// CONVOY_EXPORT marks what libconvoy.so exports; everything else in it is hidden.
#pragma once

#define CONVOY_EXPORT __attribute__((visibility("default")))
