#include "nvml_layout.h"
