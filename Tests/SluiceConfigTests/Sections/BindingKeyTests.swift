import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct BindingKeyTests {
    @Test(arguments: [
        ("GET /a", ["GET"]), ("GET|HEAD /a", ["GET", "HEAD"]), ("ANY /a", []), ("PURGE /a", ["PURGE"]),
    ])
    func readsMethods(_ key: String, _ methods: [String]) {
        let binding = fruit("\(key): {to: fruit /a}").configuration().bindings.first
        #expect(binding?.methods == methods)
        #expect(binding?.name == key)
    }

    @Test(arguments: [
        ("get /a", "2:3: 'get' is no method that can be bound → GET"),
        ("GTE /a", "2:3: 'GTE' is no method that can be bound → GET"),
        ("Purge /a", "2:3: 'Purge' is no method that can be bound"),
        ("CONNECT /a", "2:3: 'CONNECT' is no method that can be bound"),
        ("GET|ANY /a", "2:3: 'ANY' is no method that can be bound → ANY"),
        ("GET| /a", "2:3: '' is no method that can be bound"),
        ("GET|GET /a", "2:3: method 'GET' stands twice"),
        ("/a", "2:3: '/a' is no route → GET /a"), ("GET", "2:3: 'GET' is no route"),
        ("GET /a /b", "2:3: 'GET /a /b' is no route"), ("GET a", "2:7: 'a' is no path: a path begins with '/'"),
        ("GET /a?b=c", "2:7: a query in path '/a?b=c' → declare the query under 'params:'"),
        ("GET /ä", "2:7: a character that needs percent-encoding in path '/ä'"),
        ("GET /a%2", "2:7: a broken percent-encoding in path '/a%2'"),
        ("GET /a/../b", "2:7: a dot segment in path '/a/../b'"),
        ("GET /{a", "2:8: '/{a' is no path: a placeholder is written {name}"),
        ("GET /**/a", "2:8: '/**/a' is no path: '**' stands only at the end of a path"),
    ])
    func refusesKeys(_ key: String, _ mistake: String) {
        #expect(fruit("\(key): {to: fruit /a}").mistakes == [mistake])
    }

    @Test func refusesPlaceholdersThatStandTwice() {
        #expect(
            fruit("GET /{a}/{a}: {to: 'fruit /{a}', params: {a: Int}}").mistakes
                == ["2:3: placeholder '{a}' stands twice"])
    }

    @Test(arguments: [("fruit /b", nil), ("fruit POST /b", "POST"), ("fruit GET /b", nil)])
    func readsTargets(_ to: String, _ method: String?) {
        let binding = fruit("GET /a: {to: \(to)}").configuration().bindings.first
        #expect(binding?.upstream == "fruit")
        #expect(binding?.upstreamMethod == method)
        #expect(binding?.upstreamPath.description == "/b")
    }

    @Test func saysHowToAddAnUpstream() {
        let mistakes = Bench("bindings:\n  GET /a: {to: fruit /a}\n").mistakes
        let wanted = "2:16: unknown upstream 'fruit' → add one: upstreams: {fruit: {url: https://…}}"
        #expect(mistakes.contains(wanted), "\(mistakes)")
    }

    @Test(arguments: [
        ("friut /b", "2:16: unknown upstream 'friut' → fruit"), ("fruit", "2:16: 'fruit' is no target → fruit /"),
        ("fruit ANY /b", "2:16: 'ANY' is not one method"), ("fruit GET|POST /b", "2:16: 'GET|POST' is not one method"),
        ("fruit GTE /b", "2:16: 'GTE' is no method that can be bound → GET"),
        ("fruit b", "2:22: 'b' is no path: a path begins with '/'"),
        ("[a]", "2:16: a list where an upstream and a path is wanted"),
        ("", "2:16: nothing where an upstream and a path is wanted"),
    ])
    func refusesTargets(_ to: String, _ mistake: String) {
        #expect(fruit("GET /a: {to: \(to)}").mistakes == [mistake])
    }
}
