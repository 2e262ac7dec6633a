@testable import SluiceClient

/// A gateway in memory: what it is asked is kept, what it answers is a closure.
final class ScriptedTransport: Transport {
    private let seen = Locked<[CallRequest]>([])
    private let answer: @Sendable (CallRequest) async throws -> WholeAnswer

    init(_ answer: @escaping @Sendable (CallRequest) async throws -> WholeAnswer) {
        self.answer = answer
    }

    /// One that answers everything alike.
    convenience init(status: Int = 200, json: String, fields: [CallField] = []) {
        self.init { _ in .json(json, status: status, fields: fields) }
    }

    var requests: [CallRequest] { seen.withLock { $0 } }

    /// Method and target of everything that was asked.
    var lines: [String] { requests.map { "\($0.method) \($0.target)" } }

    /// The body of the latest request, as text.
    var latestBody: String? {
        guard case .bytes(let bytes) = requests.last?.body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func send(_ request: CallRequest, timeout: Duration?) async throws -> CallAnswer {
        // What a connection would refuse is refused here.
        _ = try OutgoingCall(request, to: GatewayAddress("unix:/run/sluice.sock"))
        seen.withLock { $0.append(request) }
        let whole = try await answer(request)
        return CallAnswer(status: whole.status, fields: whole.fields, body: AnswerBody(whole.body))
    }
}

extension WholeAnswer {
    static func json(_ text: String, status: Int = 200, fields: [CallField] = []) -> WholeAnswer {
        WholeAnswer(
            status: status, fields: [CallField("Content-Type", "application/json")] + fields, body: Array(text.utf8))
    }

    static func problem(_ text: String, status: Int, fields: [CallField] = []) -> WholeAnswer {
        let type = CallField("Content-Type", "application/problem+json")
        return WholeAnswer(status: status, fields: [type] + fields, body: Array(text.utf8))
    }
}
