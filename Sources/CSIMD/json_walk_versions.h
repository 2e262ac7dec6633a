// The walk once more for wider vectors, for json_walk.c.
#pragma once
#include "json_walk.h"

void sluice_json_go_avx2(sluice_json_walk *_Nonnull walk);
void sluice_json_go_avx512(sluice_json_walk *_Nonnull walk);
