#pragma once
#include <sys/prctl.h>

// What the decoding process needs of the C library and Swift does not see: a GNU function and a variadic one.

int memfd_create(const char *name, unsigned int flags);

// Memory by a descriptor, closed on exec (1 is MFD_CLOEXEC); -1 with errno.
static inline int halcyon_memory_file(const char *name) { return memfd_create(name, 1U); }

// No program that is run from here gains rights.
static inline int halcyon_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
