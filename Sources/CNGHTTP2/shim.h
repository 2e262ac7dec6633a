// libnghttp2: framing, HPACK, flow control and stream states of HTTP/2 (RFC 9113, RFC 7541).
#pragma once
#include <nghttp2/nghttp2.h>
