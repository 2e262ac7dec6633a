#include "peers.h"

#include <simdjson.h>

#include <climits>
#include <string_view>

using namespace simdjson;

namespace {

dom::parser dom_parser;
ondemand::parser ondemand_parser;

ondemand::document open(const char *json, size_t count) {
    return ondemand_parser.iterate(json, count, count + SIMDJSON_PADDING);
}

template <typename Body>
long guarded(Body body) {
    try {
        return body() & LONG_MAX;
    } catch (const simdjson_error &) {
        return -1;
    }
}

long length(ondemand::value value) { return (long)std::string_view(value.get_string()).size(); }

long length_or_null(ondemand::value value) { return value.is_null() ? 0 : length(value); }

}  // namespace

size_t peers_padding(void) { return SIMDJSON_PADDING; }

const char *peers_simdjson_name(void) {
    static std::string name;
    name = simdjson::get_active_implementation()->name();
    return name.c_str();
}

bool peers_simdjson_choose(const char *name) {
    const simdjson::implementation *chosen = simdjson::get_available_implementations()[name];
    if (!chosen || !chosen->supported_by_runtime_system()) return false;
    simdjson::get_active_implementation() = chosen;
    return true;
}

bool peers_dom(const char *json, size_t count) {
    dom::element element;
    return dom_parser.parse((const uint8_t *)json, count, false).get(element) == SUCCESS;
}

long peers_ondemand_fruits(const char *json, size_t count) {
    return guarded([&] {
        long sum = 0;
        auto document = open(json, count);
        for (ondemand::object fruit : document["values"].get_array()) {
            sum += length(fruit["name"]);
            sum += int64_t(fruit["size"]);
            sum += length(fruit["color"]);
            sum += bool(fruit["ripe"]);
        }
        return sum;
    });
}

long peers_ondemand_twitter(const char *json, size_t count) {
    return guarded([&] {
        long sum = 0;
        auto document = open(json, count);
        for (ondemand::object status : document["statuses"].get_array()) {
            sum += length(status["created_at"]);
            sum += (long)uint64_t(status["id"]);
            sum += length(status["text"]);
            ondemand::object user = status["user"];
            sum += (long)uint64_t(user["id"]);
            sum += length(user["name"]);
            sum += length(user["screen_name"]);
            sum += int64_t(user["followers_count"]);
            sum += bool(user["verified"]);
            sum += int64_t(status["retweet_count"]);
            sum += int64_t(status["favorite_count"]);
        }
        return sum;
    });
}

long peers_ondemand_citm(const char *json, size_t count) {
    return guarded([&] {
        long sum = 0;
        auto document = open(json, count);
        for (ondemand::object performance : document["performances"].get_array()) {
            sum += int64_t(performance["eventId"]);
            sum += int64_t(performance["id"]);
            for (ondemand::object price : performance["prices"].get_array()) {
                sum += int64_t(price["amount"]);
                sum += int64_t(price["audienceSubCategoryId"]);
                sum += int64_t(price["seatCategoryId"]);
            }
            for (ondemand::object category : performance["seatCategories"].get_array()) {
                for (ondemand::object area : category["areas"].get_array()) sum += int64_t(area["areaId"]);
                sum += int64_t(category["seatCategoryId"]);
            }
            sum += int64_t(performance["start"]);
            sum += length(performance["venueCode"]);
        }
        return sum;
    });
}

long peers_ondemand_github(const char *json, size_t count) {
    return guarded([&] {
        long sum = 0;
        auto document = open(json, count);
        for (ondemand::object event : document.get_array()) {
            sum += length(event["type"]);
            sum += length(event["created_at"]);
            ondemand::object actor = event["actor"];
            sum += length(actor["login"]);
            sum += int64_t(actor["id"]);
            ondemand::object repo = event["repo"];
            sum += int64_t(repo["id"]);
            sum += length(repo["name"]);
            sum += bool(event["public"]);
            sum += length(event["id"]);
        }
        return sum;
    });
}

long peers_ondemand_center(const char *json, size_t count) {
    return guarded([&] {
        long sum = 0;
        auto document = open(json, count);
        for (auto plugin : document["plugins"].get_object()) {
            ondemand::object fields = plugin.value();
            sum += length(fields["buildDate"]);
            for (ondemand::object dependency : fields["dependencies"].get_array()) {
                sum += length(dependency["name"]);
                sum += bool(dependency["optional"]);
                sum += length(dependency["version"]);
            }
            for (ondemand::object developer : fields["developers"].get_array()) {
                auto id = developer["developerId"];
                if (id.error() == SUCCESS) sum += length_or_null(id.value());
            }
            sum += length(fields["name"]);
            sum += length(fields["sha1"]);
            sum += length(fields["url"]);
            sum += length(fields["version"]);
        }
        return sum;
    });
}
