// libyaml, of which the parser's events are used.
#pragma once
#include <yaml.h>
