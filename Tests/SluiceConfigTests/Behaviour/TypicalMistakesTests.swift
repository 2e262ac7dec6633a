import Testing

@testable import SluiceConfig

/// A first page, with something in it changed.
enum FirstPage {
    static let text = """
        upstreams:
          shop:
            url: http://127.0.0.1:9/v1
            bearer: {value: abc}
        types:
          Fruit:
            name: String
            size: Int
            color: red | green
        bindings:
          GET /fruits:
            to: shop /fruits
            params: {limit: Int = 10}
            parent: values
            value: [Fruit]
          GET /fruits/{id}:
            to: shop /fruits/{id}
            params: {id: Int}
            value: Fruit

        """

    /// The first mistake as a person reads it behind the name of the file.
    static func mistake(_ old: String, _ new: String) -> String? {
        #expect(text.contains(old))
        let loaded = Bench(text.replacing(old, with: new, maxReplacements: 1)).load()
        return loaded.mistakes.first.map { String($0.description.drop { $0 != ":" }.dropFirst()) }
    }
}

/// What a person gets wrong in bindings and upstreams: the right place, and what to do.
@Suite struct TypicalMistakesTests {
    @Test(arguments: [
        (
            "    to: shop /fruits\n", "    to shop /fruits\n",
            "12:7: a ':' is missing; did you mean 'to: …'?"
        ),
        (
            "  GET /fruits:", "  /fruits:",
            """
            11:3: '/fruits' is no route; expected a method, a space and a path, such as GET /fruits; did you \
            mean 'GET /fruits'?
            """
        ),
        (
            "  GET /fruits:", "  get /fruits:",
            """
            11:3: 'get' is no method that can be bound; expected GET, POST, …, several with '|' between them, \
            or ANY; did you mean 'GET'?
            """
        ),
        (
            "  GET /fruits:", "  GET /fruits?limit=3:",
            """
            11:7: a query in path '/fruits?limit=3'; expected a path without '?'; declare the query under \
            'params:'
            """
        ),
        (
            "to: shop /fruits\n", "to: shp /fruits\n",
            "12:9: unknown upstream 'shp'; expected shop; did you mean 'shop'?"
        ),
        (
            "to: shop /fruits\n", "to: http://api.example/fruits\n",
            """
            12:9: 'http://api.example/fruits' is no target; expected an upstream, a space and a path, such as \
            fruit /fruits; write the URL under 'upstreams:', and here its name
            """
        ),
        (
            "to: shop /fruits\n", "to: shop\n",
            """
            12:9: 'shop' is no target; expected an upstream, a space and a path, such as fruit /fruits; did \
            you mean 'shop /'?
            """
        ),
        (
            "params: {id: Int}", "params: {}",
            """
            16:3: placeholder '{id}' has no parameter; expected its type under 'params:'; add params: {id: \
            String}
            """
        ),
        (
            "to: shop /fruits/{id}", "to: shop /fruits/{fruit}",
            """
            17:9: no parameter fills the placeholder '{fruit}'; expected a parameter of this name; add \
            params: {fruit: String}
            """
        ),
        (
            "params: {id: Int}", "params: {id: Int?}",
            "18:18: a part of the path is always there; expected a type without '?' and '='"
        ),
        (
            "parent: values", "parrent: values",
            "14:5: unknown key 'parrent'; did you mean 'parent'?"
        ),
        (
            "    params:", "    parameters:",
            "13:5: unknown key 'parameters'; did you mean 'params'?"
        ),
        (
            "    parent: values", "    timeout: 30",
            "14:14: the text '30' where a mapping is wanted; did you mean '{total: 30s}'?"
        ),
        (
            "    parent: values", "    timeout: {total: 30}",
            """
            14:22: the text '30' where a duration is wanted; expected a number with a unit: 250ms, 10s, 5m, \
            1h, 1d; did you mean '30s'?
            """
        ),
        (
            "    parent: values", "    cache: 60",
            """
            14:12: the text '60' is no cache policy; expected a mapping such as {fresh: 60s}, or false; did \
            you mean '{fresh: 60s}'?
            """
        ),
        (
            "    parent: values", "    hold: 1MB",
            """
            14:11: the text '1MB' where a size is wanted; expected a number of bytes with a unit: 512B, \
            64KiB, 1MiB, 4GiB; did you mean '1MiB'?
            """
        ),
        (
            "url: http://127.0.0.1:9/v1", "url: api.example/v1",
            """
            3:10: the URL has no scheme; expected http://host[:port][/base], https://host[:port][/base] or \
            unix:/path[:/base]; did you mean 'https://api.example/v1'?
            """
        ),
        (
            "url: http://127.0.0.1:9/v1", "url: http://127.0.0.1:9/v1?key=1",
            """
            3:31: a query has no place in an upstream's URL; expected http://host[:port][/base], \
            https://host[:port][/base] or unix:/path[:/base]
            """
        ),
        (
            "upstreams:", "upstream:",
            "1:1: unknown key 'upstream'; did you mean 'upstreams'?"
        ),
        (
            "  GET /fruits/{id}:", "  GET /fruits:",
            "16:3: key 'GET /fruits' stands twice, first in line 11; expected each key once"
        ),
        (
            "parent: values", "parent: /values",
            """
            14:13: '/values' is no key path: a JSON Pointer is no key path; expected keys with dots between \
            them, such as data.items; did you mean 'values'?
            """
        ),
        (
            "    parent: values", "    body: Fruit",
            "14:5: GET has no body; expected a method such as POST, or no 'body:'"
        ),
        (
            "  GET /fruits:\n", "  GET /fruits:\n    <<: *x\n",
            """
            12:5: merge keys ('<<') are not read; expected the keys themselves; use 'defaults:', or an alias \
            (*name) for a whole value
            """
        ),
        (
            "    parent: values", "    rate: 100",
            """
            14:11: the text '100' where a rate is wanted; expected requests in a time, such as 100/s, 5000/h \
            or 100/s burst 20; did you mean '100/s'?
            """
        ),
        (
            "    parent: values", "    retry: 3",
            """
            14:12: the text '3' is no retry policy; expected a mapping such as {attempts: 3}, or false; did \
            you mean '{attempts: 3}'?
            """
        ),
        (
            "    parent: values", "    response-headers: {A: b}",
            "14:5: unknown key 'response-headers'; did you mean 'answer-headers'?"
        ),
        (
            "    parent: values", "    description: all fruits",
            "14:5: unknown key 'description'; write it behind a '#', as a comment of YAML"
        ),
        (
            "    parent: values", "    cache: {fresh: 1m, stale: 1h}",
            """
            14:24: unknown key 'stale'; expected one of the keys fresh, stale-while-revalidate, \
            stale-if-error, retry-after-error, vary, key, private, tags; did you mean \
            'stale-while-revalidate'?
            """
        ),
        (
            "upstreams:", "listen: 8080\nupstreams:",
            """
            1:9: '8080' is no address to listen on; expected 127.0.0.1:8080, [::1]:8080 or unix:/path; did \
            you mean '127.0.0.1:8080'?
            """
        ),
        (
            "upstreams:", "listen: myhost:8080\nupstreams:",
            """
            1:9: 'myhost' is a name, not an address; expected 127.0.0.1:8080, [::1]:8080 or unix:/path; did \
            you mean '127.0.0.1:8080'?
            """
        ),
        (
            "    to: shop /fruits\n    params: {limit", "    to: shop /fruits\n   params: {limit",
            """
            13:4: this line is indented by 3, and no entry above it is; expected the indentation of one of \
            them, such as 2 as in line 11
            """
        ),
        (
            "params: {limit: Int = 10}", "params: [limit]",
            """
            13:13: a list where a mapping is wanted; expected parameters: a name and a type each, such as \
            {limit: Int}
            """
        ),
        (
            "    parent: values", "    use: paging",
            "14:10: there is no group 'paging'; expected a name under 'groups:'"
        ),
    ])
    func saysWhatToDo(_ old: String, _ new: String, _ mistake: String) {
        #expect(FirstPage.mistake(old, new) == mistake)
    }
}
