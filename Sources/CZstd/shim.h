// libzstd, the stable part of it.
#pragma once
#include <zstd.h>
#include <zstd_errors.h>
