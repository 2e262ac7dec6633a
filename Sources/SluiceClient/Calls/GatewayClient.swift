/// A gateway to talk to: where it is, and how calls are made.
///
/// It is a value: `let slow = client.with(timeout: .seconds(120))` leaves `client` as it was, and shares its
/// connections.
public struct GatewayClient: Sendable {
    /// What all calls of a client have in common.
    public struct Settings: Sendable {
        /// How long a call may take, from looking for a connection to the last byte of its answer; what is uploaded
        /// counts, too. An answer that is read as a stream has this time until its head is there.
        public var timeout: Duration
        /// How values become JSON and come back.
        public var coding: JSONCoding
        /// Fields of every request, such as `X-API-Key` for a gateway that knows its clients by keys.
        public var fields: [CallField]
        /// What stands in front of every path, with or without a `/` at its ends.
        public var pathPrefix: String
        /// Which side takes the values of bound properties out of their parents.
        public var parents: ParentPlacement
        /// The most bytes of an answer that is read as a whole; more is ``TransportError/tooLarge(limit:)``. Streams
        /// have no such limit.
        public var answerBytesMax: Int

        /// Settings that are the usual ones but for what is said.
        public init(
            timeout: Duration = .seconds(30), coding: JSONCoding = JSONCoding(), fields: [CallField] = [],
            pathPrefix: String = "", parents: ParentPlacement = .automatic, answerBytesMax: Int = 16 << 20
        ) {
            self.timeout = timeout
            self.coding = coding
            self.fields = fields
            self.pathPrefix = pathPrefix
            self.parents = parents
            self.answerBytesMax = answerBytesMax
        }
    }

    /// What all calls of this client have in common.
    public var settings: Settings
    let transport: any Transport

    /// A client over a transport of its own: a fake in a test, or one that is shared.
    public init(transport: any Transport, settings: Settings = Settings()) {
        self.transport = transport
        self.settings = settings
    }

    /// A client of the gateway at an address; nothing is connected yet.
    public init(_ address: GatewayAddress, settings: Settings = Settings()) {
        self.init(transport: GatewayTransport(address), settings: settings)
    }

    /// A client of the gateway at `http://127.0.0.1:8080`, `unix:/run/sluice.sock`, …
    ///
    /// - Throws: ``CallError/url(_:)`` where the text is no such address.
    public init(_ address: String, settings: Settings = Settings()) throws(CallError) {
        do throws(AddressError) {
            self.init(try GatewayAddress(address), settings: settings)
        } catch {
            throw .url("\(error)")
        }
    }

    /// The same client, whose calls may take so long.
    public func with(timeout: Duration) -> GatewayClient {
        var copy = self
        copy.settings.timeout = timeout
        return copy
    }

    /// The same client, of an API that writes names and dates in this way.
    public func with(coding: JSONCoding) -> GatewayClient {
        var copy = self
        copy.settings.coding = coding
        return copy
    }

    /// Sends a call and hands on its answer, whatever its status, as soon as its head is there; the body follows as it
    /// is read, and throws ``TransportError`` where it ends early.
    ///
    /// - Throws: ``CallError/transport(_:)``, ``CallError/cancelled``, or ``CallError/other(_:)`` with what the
    ///   request's body threw.
    public func stream(_ call: Call) async throws(CallError) -> CallAnswer {
        do {
            try Task.checkCancellation()
            return try await transport.send(request(for: call), timeout: call.timeout ?? settings.timeout)
        } catch {
            throw CallError(sending: error)
        }
    }

    /// Sends a call and reads its answer to the end, whatever its status.
    ///
    /// - Throws: as ``stream(_:)`` does, also where the answer has more than ``Settings/answerBytesMax``.
    public func answer(to call: Call) async throws(CallError) -> WholeAnswer {
        let answer = try await stream(call)
        do {
            let body = try await answer.body.bytes(upTo: settings.answerBytesMax)
            return WholeAnswer(status: answer.status, fields: answer.fields, body: body)
        } catch {
            throw CallError(sending: error)
        }
    }

    /// Sends a call and reads its answer; what is no success is thrown, with its body kept.
    ///
    /// - Throws: as ``answer(to:)`` does; ``CallError/problem(_:)`` or ``CallError/status(_:)``.
    public func success(of call: Call) async throws(CallError) -> WholeAnswer {
        let answer = try await answer(to: call)
        guard answer.isSuccess else { throw Self.failure(in: answer) }
        return answer
    }

    static func failure(in answer: WholeAnswer) -> CallError {
        GatewayProblem(answer).map { .problem($0) } ?? .status(answer)
    }

    private func request(for call: Call) -> CallRequest {
        var call = call
        var prefix = settings.pathPrefix
        while prefix.hasSuffix("/") { prefix.removeLast() }
        if !prefix.isEmpty { call.path = prefix + (call.path.hasPrefix("/") ? "" : "/") + call.path }
        let fields = settings.fields.filter { call.fields[$0.name] == nil } + call.fields
        return CallRequest(call.method.rawValue, call.target, fields: fields, body: call.body)
    }
}

/// Keys of a client stand in its fields: they are not for logs.
extension GatewayClient.Settings: CustomStringConvertible {
    public var description: String {
        "Settings(\(timeout), \(coding), prefix '\(pathPrefix)', fields: \(fields.map(\.name)))"
    }
}

extension GatewayClient: CustomStringConvertible {
    public var description: String { "GatewayClient(\(settings))" }
}
