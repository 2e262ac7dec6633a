#include "CConsolePage.h"

// C23 §6.10.4; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define html "text/html; charset=utf-8"
#define script "text/javascript; charset=utf-8"
#define style "text/css; charset=utf-8"
#define image "image/svg+xml"

static const unsigned char console_html[] = {
#embed "Page/console.html"
};

static const cconsole_file files[] = {
    {"console.html", html, console_html, sizeof console_html},
};

size_t cconsole_file_count(void) { return sizeof files / sizeof *files; }

cconsole_file cconsole_file_at(size_t index) { return files[index]; }
