// SIMD scans over bytes; kept apart from _GNU_SOURCE headers, which clash with the intrinsics module.
#pragma once
#include <stdint.h>
#include <stddef.h>
#include "vectors.h"
#include "http_scan.h"
#include "json_index.h"
#include "json_scan.h"
#include "json_walk.h"
#include "json_splice.h"
