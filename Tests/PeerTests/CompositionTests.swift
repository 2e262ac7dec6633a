import Testing

/// A binding that is made of others, asked with curl, in front of an origin that answers by target.
@Suite struct CompositionTests {
    private static let documents = [
        "/users/7": #"{"id": 7, "name": "Ada", "badges": ["a", "b"]}"#,
        "/posts?author=7": #"[{"title": "On engines"}]"#,
        "/badges/a": #"{"code": "a"}"#, "/badges/b": #"{"code": "b"}"#,
    ]

    private static func page(_ origin: String) -> String {
        """
        upstreams:
          api: {url: "\(origin)"}
        types:
          User: {id: Int, name: String, badges: [String]}
          Post: {title: String}
          Badge: {code: String}
        bindings:
          GET /users/{id}:
            to: api /users/{id}
            params: {id: Int}
            value: User
          GET /posts: {to: api /posts, params: {author: Int}, value: [Post]}
          GET /badges/{badge}: {to: "api /badges/{badge}", params: {badge: String}, value: Badge}
          GET /weather: {to: api /weather, value: Int}
          GET /profile/{id}:
            params: {id: Int}
            parts:
              user: GET /users/{id}
              posts: GET /posts?author={user.id}
              badges: {from: "GET /badges/{badge}", each: user.badges, as: badge}
              weather: {from: GET /weather, optional: true}
            value: {name: String from user.name, posts: JSON, badges: [Badge], weather: "Int?"}
        """
    }

    private func serve(_ body: (Daemon) throws -> Void) throws {
        let origin = try DocumentOrigin(Self.documents)
        defer { origin.end() }
        let gateway = try Daemon(Self.page(origin.url))
        defer { gateway.end() }
        try body(gateway)
    }

    @Test func curlGetsOneAnswerOfMany() throws {
        try serve { gateway in
            let address = "http://127.0.0.1:\(gateway.port)/profile/7"
            let curl = try ChildProcess(["/usr/bin/curl", "-sS", "-w", " %{http_code}", address])
            #expect(try curl.waitForExit() == 0)
            #expect(
                curl.output
                    == #"{"name":"Ada","posts":[{"title": "On engines"}],"badges":[{"code": "a"},{"code": "b"}],"#
                    + #""weather":null} 200"#)
        }
    }

    @Test func aFailureNamesItsPart() throws {
        try serve { gateway in
            let answer = try gateway.get("/profile/8")
            #expect(answer.status == 404)
            #expect(answer.text.contains(#""part":"user""#))
        }
    }
}
