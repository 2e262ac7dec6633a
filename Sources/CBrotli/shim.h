// libbrotli: decoder and encoder.
#pragma once
#include <brotli/decode.h>
#include <brotli/encode.h>
