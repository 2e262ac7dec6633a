// hiredis, its synchronous part.
#pragma once
#include <hiredis/hiredis.h>
