#pragma once
#include <vips/vips.h>

// VIPS_INIT is a macro over vips_init, which checks the version of the headers.
static inline int halcyon_vips_init(const char *program) { return VIPS_INIT(program); }
