#pragma once
#include <sqlite3.h>

// A macro that casts an integer to a function pointer, which Swift does not import.
static inline sqlite3_destructor_type halcyon_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// Swift cannot call variadic C functions.
static inline int halcyon_sqlite_db_config(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}
