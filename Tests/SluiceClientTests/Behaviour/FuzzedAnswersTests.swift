import SluiceHTTP
import TestBytes
import Testing

@testable import SluiceClient

/// Answers with bytes that somebody has damaged: whatever comes, a program gets a value or an error, and goes on.
@Suite struct FuzzedAnswersTests {
    private static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n"
            + "{\"values\":[{\"name\":\"fig\"}]}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2,\r\n4;a=b\r\n 3]\n\r\n0\r\nX-Sum: 6\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nETag: \"x\"\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: 50\r\n"
            + "Connection: close\r\n\r\n{\"type\":\"urn:sluice:problem:unknown-route\",\"status\":404}",
        "HTTP/1.0 200 OK\r\nSet-Cookie: a=b; Max-Age=9\r\nSet-Cookie: c=d\r\n\r\nuntil the end",
    ]
    private static let bodies = [
        #"{"values":[{"name":"fig","size":3,"next":{"name":"","size":-1}}],"total":18446744073709551615}"#,
        #"{"type":"urn:sluice:problem:bad-parameters","status":400,"faults":[{"name":"$.a[0]","in":"query"}]}"#,
        "name=fig&size=3&next[name]=lime&next[size]=1&tags[]=a&tags[]=b%2Bc&empty=&=x",
        "[[[[[[[[1e400,-0,\"\\ud800\\u0000\"]]]]]]]]", "\u{FEFF}null",
    ]
    private static let types = [
        "application/json", "application/problem+json", "application/x-www-form-urlencoded",
        "text/plain; charset=latin1",
        "text/html", "multipart/form-data; boundary=\"", "",
    ]

    /// Some bytes changed, left out, doubled, or taken from elsewhere.
    private static func damaged(_ text: String, _ numbers: inout SplitMix) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...4, using: &numbers) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &numbers)
            let end = min(bytes.count, place + Int.random(in: 1...8, using: &numbers))
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &numbers)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3: bytes.insert(contentsOf: Array("\r\n:0,]}%[\"".utf8).shuffled(using: &numbers).prefix(2), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<8)
    func onTheWire(_ shard: Int) throws {
        var numbers = SplitMix(state: UInt64(shard) &+ 20_261_123)
        var ends: Set<String> = []
        for _ in 0..<3000 {
            let bytes = Self.damaged(Self.answers.randomElement(using: &numbers) ?? "", &numbers)
            let method = ["GET", "HEAD", "POST"].randomElement(using: &numbers) ?? "GET"
            var machine = CallMachine(limits: TransportLimits())
            machine.begin(try CallMachineTests.call(CallRequest(method, "/a")))
            while !machine.outbox.isEmpty { machine.sent(machine.outbox.firstRun.count) }
            var rest = bytes[...]
            var hasHead = false
            while !rest.isEmpty {
                let piece = Array(rest.prefix(Int.random(in: 1...40, using: &numbers)))
                rest = rest.dropFirst(piece.count)
                piece.withUnsafeBytes { machine.received($0) }
                if Bool.random(using: &numbers) { hasHead = Self.take(&machine, hasHead, &ends) }
            }
            machine.inputClosed(isTruncated: false)
            hasHead = Self.take(&machine, hasHead, &ends)
            if hasHead { hasHead = Self.take(&machine, hasHead, &ends) }
            if machine.life == .busy { Issue.record("it never ends: \(String(decoding: bytes, as: UTF8.self))") }
        }
        #expect(ends == ["answer", "content", "failed"])
    }

    /// - Returns: whether an answer has begun whose content is still to come.
    private static func take(_ machine: inout CallMachine, _ hasHead: Bool, _ ends: inout Set<String>) -> Bool {
        if !hasHead {
            switch machine.takeHead() {
            case .wait: return false
            case .answer(_, _, _, let isWhole):
                ends.insert("answer")
                if isWhole { return false }
            case .failed:
                ends.insert("failed")
                return false
            }
        }
        while true {
            switch machine.takeContent() {
            case .wait: return true
            case .bytes(_, let isLast):
                ends.insert("content")
                if isLast { return false }
            case .end: return false
            case .failed:
                ends.insert("failed")
                return false
            }
        }
    }

    // MARK: - Contents

    struct Fruit: Codable, Equatable {
        var name: String
        var size: Int?
        /// Forms may be as deep as they like.
        var next: [Fruit]?
    }

    struct Fruits: ParentCodable {
        var values: [Fruit] = []
        static func wrap(child: [Fruit]) -> Fruits { Fruits(values: child) }
    }

    struct Form: FormURLEncodedDecodable {
        var name: String
        var tags: [String]?
        var next: [String: String]?
    }

    struct Everything: Decodable {
        @ResponseBody<Fruits>.OptionalContent var body
        @ResponseErrorBody<GatewayProblem> var problem
        @ResponseStatusCode var statusCode
        @ResponseCookies var cookies
    }

    struct Forms: Decodable { @ResponseBody<Form> var body }
    struct Texts: Decodable { @ResponseBody<PlainDecodable> var body }

    struct Stand: Bindings {
        @Rest(path: "fruits", parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
    }

    @Test(arguments: 0..<4)
    func inContents(_ shard: Int) async throws {
        var numbers = SplitMix(state: UInt64(shard) &+ 42)
        var outcomes = (values: 0, errors: 0)
        for _ in 0..<1500 {
            let type = Self.types.randomElement(using: &numbers) ?? ""
            let answer = WholeAnswer(
                status: [200, 201, 204, 206, 303, 304, 400, 404, 422, 503].randomElement(using: &numbers) ?? 200,
                fields: [
                    CallField("Content-Type", type),
                    CallField("Set-Cookie", String(decoding: Self.damaged("a=b; Max-Age=9", &numbers), as: UTF8.self)),
                    CallField(
                        "Retry-After", ["9", "-1", "99999999999999999999", "x"].randomElement(using: &numbers) ?? ""),
                ], body: Self.damaged(Self.bodies.randomElement(using: &numbers) ?? "", &numbers))
            let transport = ScriptedTransport { _ in answer }
            let client = GatewayClient(transport: transport)
            func count(_ isValue: Bool) {
                if isValue { outcomes.values += 1 } else { outcomes.errors += 1 }
            }
            count((try? await ResponseBodyTests.read(Everything.self, answer)) != nil)
            count((try? await ResponseBodyTests.read(Forms.self, answer)) != nil)
            count((try? await ResponseBodyTests.read(Texts.self, answer)) != nil)
            count((try? await ResponseBodyTests.read([String: JSONValue].self, answer, keys: .snakeCase)) != nil)
            let stand = Stand().use(client)
            count((try? await stand.$fruits.get()) != nil)
            let resource = ResourceService(client: client).resource("/a").typed(Fruits.self)
            count((try? await resource.freshValue()) != nil)
            _ = "\(resource.state) \(stand.$fruits.state)"
        }
        #expect(outcomes.values > 100 && outcomes.errors > 100)
    }
}
