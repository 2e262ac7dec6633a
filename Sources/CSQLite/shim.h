// SQLite 3, the whole of it.
#pragma once
#include <sqlite3.h>
