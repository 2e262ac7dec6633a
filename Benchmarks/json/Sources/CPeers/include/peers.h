// simdjson behind C functions. Every document has to be followed by readable padding.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that have to be readable after a document.
size_t peers_padding(void);
/// The implementation that this machine runs, such as "icelake".
const char *peers_simdjson_name(void);

/// Makes simdjson take another set of instructions than the widest: `haswell`, `westmere` or `fallback`. Before it reads
/// anything.
/// @returns false where there is none of this name, or the machine lacks it.
bool peers_simdjson_choose(const char *name);
/// Full validation into a DOM; false where the document is broken.
bool peers_dom(const char *json, size_t count);

/// Typed reads through the On-Demand interface, of the fields that the typed plan checks; the result depends on all
/// that was read, -1 is a failure.
long peers_ondemand_fruits(const char *json, size_t count);
long peers_ondemand_twitter(const char *json, size_t count);
long peers_ondemand_citm(const char *json, size_t count);
long peers_ondemand_github(const char *json, size_t count);
long peers_ondemand_center(const char *json, size_t count);

#ifdef __cplusplus
}
#endif
