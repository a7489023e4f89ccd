#include "ascendcl_layout.h"
