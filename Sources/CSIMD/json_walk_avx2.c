#include "CSIMD.h"
#if defined(__x86_64__)
#include "json_walk_versions.h"

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt"))), apply_to = function)
#include "json_walk_go.h"

void sluice_json_go_avx2(sluice_json_walk *walk) { go(walk); }
#pragma clang attribute pop

#endif
