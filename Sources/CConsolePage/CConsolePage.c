#include "CConsolePage.h"

// C23 §6.10.4; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char advice_js[] = {
#embed "Page/advice.js"
};
static const unsigned char answer_view_js[] = {
#embed "Page/answer-view.js"
};
static const unsigned char body_view_js[] = {
#embed "Page/body-view.js"
};
static const unsigned char chart_view_js[] = {
#embed "Page/chart-view.js"
};
static const unsigned char charts_js[] = {
#embed "Page/charts.js"
};
static const unsigned char client_js[] = {
#embed "Page/client.js"
};
static const unsigned char console_css[] = {
#embed "Page/console.css"
};
static const unsigned char console_html[] = {
#embed "Page/console.html"
};
static const unsigned char console_js[] = {
#embed "Page/console.js"
};
static const unsigned char dom_js[] = {
#embed "Page/dom.js"
};
static const unsigned char format_js[] = {
#embed "Page/format.js"
};
static const unsigned char history_js[] = {
#embed "Page/history.js"
};
static const unsigned char icon_svg[] = {
#embed "Page/icon.svg"
};
static const unsigned char inputs_js[] = {
#embed "Page/inputs.js"
};
static const unsigned char json_text_js[] = {
#embed "Page/json-text.js"
};
static const unsigned char metrics_js[] = {
#embed "Page/metrics.js"
};
static const unsigned char panels_js[] = {
#embed "Page/panels.js"
};
static const unsigned char parts_css[] = {
#embed "Page/parts.css"
};
static const unsigned char parts_js[] = {
#embed "Page/parts.js"
};
static const unsigned char request_js[] = {
#embed "Page/request.js"
};
static const unsigned char router_js[] = {
#embed "Page/router.js"
};
static const unsigned char session_js[] = {
#embed "Page/session.js"
};
static const unsigned char shell_js[] = {
#embed "Page/shell.js"
};
static const unsigned char table_js[] = {
#embed "Page/table.js"
};
static const unsigned char try_form_js[] = {
#embed "Page/try-form.js"
};
static const unsigned char types_js[] = {
#embed "Page/types.js"
};
static const unsigned char view_binding_js[] = {
#embed "Page/view-binding.js"
};
static const unsigned char view_bindings_js[] = {
#embed "Page/view-bindings.js"
};
static const unsigned char view_cache_js[] = {
#embed "Page/view-cache.js"
};
static const unsigned char view_configuration_js[] = {
#embed "Page/view-configuration.js"
};
static const unsigned char view_credentials_js[] = {
#embed "Page/view-credentials.js"
};
static const unsigned char view_drift_js[] = {
#embed "Page/view-drift.js"
};
static const unsigned char view_entry_js[] = {
#embed "Page/view-entry.js"
};
static const unsigned char view_exchange_js[] = {
#embed "Page/view-exchange.js"
};
static const unsigned char view_inspector_js[] = {
#embed "Page/view-inspector.js"
};
static const unsigned char view_overview_js[] = {
#embed "Page/view-overview.js"
};
static const unsigned char view_reloads_js[] = {
#embed "Page/view-reloads.js"
};
static const unsigned char view_requests_js[] = {
#embed "Page/view-requests.js"
};
static const unsigned char view_upstreams_js[] = {
#embed "Page/view-upstreams.js"
};

#define html "text/html; charset=utf-8"
#define script "text/javascript; charset=utf-8"
#define style "text/css; charset=utf-8"
#define image "image/svg+xml"
#define file(name, type, bytes) {name, type, bytes, sizeof bytes}

static const cconsole_file files[] = {
    file("advice.js", script, advice_js),
    file("answer-view.js", script, answer_view_js),
    file("body-view.js", script, body_view_js),
    file("chart-view.js", script, chart_view_js),
    file("charts.js", script, charts_js),
    file("client.js", script, client_js),
    file("console.css", style, console_css),
    file("console.html", html, console_html),
    file("console.js", script, console_js),
    file("dom.js", script, dom_js),
    file("format.js", script, format_js),
    file("history.js", script, history_js),
    file("icon.svg", image, icon_svg),
    file("inputs.js", script, inputs_js),
    file("json-text.js", script, json_text_js),
    file("metrics.js", script, metrics_js),
    file("panels.js", script, panels_js),
    file("parts.css", style, parts_css),
    file("parts.js", script, parts_js),
    file("request.js", script, request_js),
    file("router.js", script, router_js),
    file("session.js", script, session_js),
    file("shell.js", script, shell_js),
    file("table.js", script, table_js),
    file("try-form.js", script, try_form_js),
    file("types.js", script, types_js),
    file("view-binding.js", script, view_binding_js),
    file("view-bindings.js", script, view_bindings_js),
    file("view-cache.js", script, view_cache_js),
    file("view-configuration.js", script, view_configuration_js),
    file("view-credentials.js", script, view_credentials_js),
    file("view-drift.js", script, view_drift_js),
    file("view-entry.js", script, view_entry_js),
    file("view-exchange.js", script, view_exchange_js),
    file("view-inspector.js", script, view_inspector_js),
    file("view-overview.js", script, view_overview_js),
    file("view-reloads.js", script, view_reloads_js),
    file("view-requests.js", script, view_requests_js),
    file("view-upstreams.js", script, view_upstreams_js),
};

size_t cconsole_file_count(void) { return sizeof files / sizeof *files; }

cconsole_file cconsole_file_at(size_t index) { return files[index]; }
