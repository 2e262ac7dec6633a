// SIMD scans over bytes; kept apart from _GNU_SOURCE headers, which clash with the intrinsics module.
#pragma once
#include <stdint.h>
#include <stddef.h>
#include "http_scan.h"
#include "json_scan.h"
#include "json_walk.h"
#include "json_kernel.h"
#include "json_splice.h"
