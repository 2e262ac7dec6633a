internal import SluiceHTTP
internal import SluiceIO
internal import SluiceJSON
internal import SluiceSockets

/// The fruit API of the documentation, under `/v1`.
final class FruitAPI: Sendable {
    private static let password = "fruit-salad"
    private static let slowMillisecondsMax = 120_000

    private let basket = FruitBasket()

    func answer(_ request: DemoRequest) -> DemoResponse {
        guard request.segments.first == "v1" else {
            return .error(404, "no_such_api", "This API lives under /v1.")
        }
        let path = Array(request.segments.dropFirst())
        if path == ["signin"] { return only("POST", request) { signIn(request) } }
        guard isAuthorised(request) else {
            return DemoResponse.error(401, "unauthorised", "This needs a bearer token.")
                .with(.wwwAuthenticate, #"Bearer realm="fruit""#)
        }
        switch (path.first, path.count) {
        case ("fruits", 1): return fruits(request)
        case ("fruits", 2): return fruit(path[1], request)
        case ("slow", 1): return only("GET", request) { slow(request) }
        case ("broken", 2):
            guard let answer = BrokenAnswer(rawValue: path[1]) else {
                let kinds = BrokenAnswer.names.joined(separator: ", ")
                return .error(404, "unknown_kind", "The kinds of broken answers are \(kinds).")
            }
            return answer.response
        default: return .error(404, "not_found", "There is nothing at this path.")
        }
    }

    /// RFC 6750 §2.1.
    private func isAuthorised(_ request: DemoRequest) -> Bool {
        guard let words = request.authorization?.split(separator: " "), words.count == 2 else { return false }
        return words[0].lowercased() == "bearer" && basket.knows(String(words[1]))
    }

    private func only(_ method: String, _ request: DemoRequest, _ answer: () -> DemoResponse) -> DemoResponse {
        let isMeant = request.method == method || (method == "GET" && request.method == "HEAD")
        return isMeant ? answer() : notAllowed(method == "GET" ? "GET, HEAD" : method)
    }

    private func notAllowed(_ methods: String) -> DemoResponse {
        DemoResponse.error(405, "method_not_allowed", "This takes \(methods).").with(.allow, methods)
    }

    // MARK: - Fruits

    private func fruits(_ request: DemoRequest) -> DemoResponse {
        switch request.method {
        case "GET", "HEAD": return list(request)
        case "POST": return add(request)
        default: return notAllowed("GET, HEAD, POST")
        }
    }

    private func list(_ request: DemoRequest) -> DemoResponse {
        var limit = 10
        if let text = request.values("limit").last {
            guard let number = Int(text), (0...FruitBasket.fruitsMax).contains(number) else {
                return .error(400, "bad_limit", "limit is a number from 0 to \(FruitBasket.fruitsMax).")
            }
            limit = number
        }
        let colors = request.values("colors")
        if let wrong = colors.first(where: { Fruit.Color(rawValue: $0) == nil }) {
            return .error(400, "bad_color", "There are no fruits of the color '\(wrong)'.")
        }
        let all = basket.all.filter { colors.isEmpty || colors.contains($0.fruit.color.rawValue) }
        return .json(
            .object([
                ("total", .number(all.count)),
                ("values", .array(all.prefix(limit).map { $0.fruit.json(id: $0.id) })),
                ("paging", .object([("limit", .number(limit)), ("more", .bool(all.count > limit))])),
            ]))
    }

    private func fruit(_ number: String, _ request: DemoRequest) -> DemoResponse {
        let missing = DemoResponse.error(404, "no_such_fruit", "There is no fruit \(number).")
        guard let id = Int(number) else { return missing }
        switch request.method {
        case "GET", "HEAD": return basket.fruit(id).map { .json($0.json(id: id)) } ?? missing
        case "DELETE": return basket.remove(id) ? .noContent() : missing
        default: return notAllowed("GET, HEAD, DELETE")
        }
    }

    private func add(_ request: DemoRequest) -> DemoResponse {
        struct Wrapped: Decodable { var fruit: Fruit }
        guard let fruit = try? JSONReading.value(Wrapped.self, of: request.body).fruit else {
            return .error(
                422, "bad_fruit", #"The body is {"fruit": {"name", "size", "color", "ripe"?, "picked"?}}."#)
        }
        if let objection = fruit.objection { return .error(422, "bad_fruit", objection) }
        guard let id = basket.add(fruit) else { return .error(507, "basket_full", "The basket is full.") }
        return DemoResponse.json(.object([("fruit", fruit.json(id: id))]), status: 201)
            .with(.location, "/v1/fruits/\(id)")
    }

    // MARK: - The rest

    private func signIn(_ request: DemoRequest) -> DemoResponse {
        struct Credentials: Decodable { var email, password: String }
        guard let credentials = try? JSONReading.value(Credentials.self, of: request.body) else {
            return .error(422, "bad_credentials", #"The body is {"email", "password"}."#)
        }
        guard credentials.password == Self.password else {
            return DemoResponse.error(401, "wrong_password", "Email or password is wrong.")
                .with(.wwwAuthenticate, #"Bearer realm="fruit""#)
        }
        return .json(.object([("token", .string(basket.signIn()))]))
    }

    private func slow(_ request: DemoRequest) -> DemoResponse {
        let milliseconds = request.values("ms").last.flatMap { Int($0) } ?? 1000
        guard (0...Self.slowMillisecondsMax).contains(milliseconds) else {
            return .error(400, "bad_ms", "ms is a number from 0 to \(Self.slowMillisecondsMax).")
        }
        ServiceThread.sleep(.milliseconds(milliseconds))
        return .json(.object([("waited", .number(milliseconds))]))
    }
}
