internal import SluiceContract
internal import SluiceJSON
internal import SluiceSockets

/// Sends requests to bindings, one after the other, and checks their answers.
struct Verifier {
    let address: LocalAddress
    let configuration: Configuration
    /// For a whole answer.
    let seconds: Int
    let fields: [(name: String, value: String)]

    /// Bytes of an answer that is looked at here.
    private static let bytesMax = 16 << 20
    /// Of an error that is no problem document.
    private static let excerptMax = 200

    func result(of binding: Binding) -> VerifyResult {
        switch Verification(binding, in: configuration, fields: fields) {
        case .skip(let reason): return VerifyResult(binding: binding.name, outcome: .skipped(reason: reason))
        case .ask(var request):
            request.authority = address.authority
            // RFC 7240 §4.3: wait for the answer; no 202 that tells to come back.
            request.fields.append(("Prefer", "wait=\(seconds)"))
            let start = MonotonicClock.now()
            let outcome = outcome(of: request, binding)
            let time = Int((MonotonicClock.now() - start) / 1_000_000)
            return VerifyResult(
                binding: binding.name, target: request.target, outcome: outcome, milliseconds: time)
        }
    }

    private struct Reply {
        var answer: LocalClient.Answer
        /// As much of it as is looked at.
        var body: [UInt8]
        var isWhole: Bool
    }

    private func outcome(of request: LocalRequest, _ binding: Binding) -> VerifyResult.Outcome {
        do throws(StreamSocket.Failure) {
            let reply = try ask(request)
            if reply.answer.status == 202, binding.serve.contains(.loading) {
                return .none(reason: "its answer takes longer than \(seconds) s; --timeout waits longer")
            }
            return reply.answer.status < 400 ? judge(reply, binding) : problem(reply)
        } catch {
            let advice = error.isUnconnected ? "; is the daemon running? --direct does without" : ""
            return .none(reason: "\(error)\(advice)")
        }
    }

    private func ask(_ request: LocalRequest) throws(StreamSocket.Failure) -> Reply {
        let deadline = MonotonicClock.now() + UInt64(seconds) * 1_000_000_000
        let reader = try LocalAnswerReader(request, to: address.socket, seconds: seconds, deadline: deadline)
        var head: LocalClient.Answer?
        var body: [UInt8] = []
        var count = 0
        while true {
            switch try reader.next() {
            case .head(let answer): head = answer
            case .body(let bytes):
                count += bytes.count
                body += bytes.prefix(max(0, Self.bytesMax - body.count))
            case .end:
                guard let head else { throw .init(description: "an answer without a head") }
                return Reply(answer: head, body: body, isWhole: count == body.count)
            }
        }
    }

    // MARK: - Good answers

    /// The gateway has checked the answer against its type, unless the page lets it pass.
    private func judge(_ reply: Reply, _ binding: Binding) -> VerifyResult.Outcome {
        let status = reply.answer.status
        let type = binding.valueByStatus[status] ?? binding.value
        guard binding.onDrift == .pass, let type, reply.isWhole, !reply.body.isEmpty else {
            return .fine(status: status)
        }
        let types =
            binding.composition == nil
            ? configuration.types.localForms(binding.keys) : LocalTypes(configuration).definitions
        guard let proof = try? ValueProof(type.localForm(binding.keys), types: types, unknown: binding.unknownKeys)
        else { return .fine(status: status) }
        switch proof.prove(reply.body) {
        case .success: return .fine(status: status)
        case .failure(let failure):
            return .drifted(
                status: status, detail: "The value is not of its type, and passes (on-drift: pass).",
                faults: failure.faults.map { VerifyResult.Fault($0) })
        }
    }

    // MARK: - Problems

    private struct Details: Decodable {
        var type: String?
        var detail: String?
        var faults: [VerifyResult.Fault]?
    }

    private func problem(_ reply: Reply) -> VerifyResult.Outcome {
        let status = reply.answer.status
        guard let details = try? JSONReading.value(Details.self, of: reply.body),
            let detail = details.detail
        else {
            // An envelope of the page's own, or what a route that passes has answered.
            let text = String(decoding: reply.body.prefix(Self.excerptMax), as: UTF8.self)
            return .problem(status: status, detail: text.isEmpty ? reply.answer.reason : text, faults: [])
        }
        let faults = details.faults ?? []
        let kinds = [Problem.Kind.typeMismatch, .missingValue].map(\.rawValue)
        let hasDrifted = kinds.contains { details.type?.hasSuffix(":\($0)") ?? false }
        return hasDrifted
            ? .drifted(status: status, detail: detail, faults: faults)
            : .problem(status: status, detail: detail, faults: faults)
    }
}
