internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The result of checking a request's body.
enum BodyVerdict {
    /// The request may go on.
    case ready
    /// More of the body has to arrive first.
    case incomplete
    case refused(Problem)
}

/// State of a request's body between client and upstream.
struct RequestBody: ~Copyable {
    /// Whether all of the body has arrived.
    var isComplete = false
    /// Whether the body is read and checked before the fetch begins, until its end or until it is longer than `hold`.
    var isCollecting = false
    var receivedBytes = 0
    /// Whether the gateway itself has sent `100 Continue`.
    var isExpectationMet = false
    /// What is sent before the bytes that still arrive; kept for another attempt.
    var held = Outbox()
    var extractor: Extractor?
    /// Decodes the body, if it has a content coding and is checked here.
    var coded: CodedBody?
    /// The number of bytes that were checked, after decoding.
    var checkedBytes: Int { coded?.decodedBytes ?? receivedBytes }
    /// How far writing of the members that the configuration adds has got.
    private var members = AddedMembers.none
    /// The body as the client sent it: of a form, which is read whole, or of an echo (`answer: echo`).
    var whole = ByteScratch()
    /// In which form the query goes to a GraphQL server.
    var form = GraphQLQuery.Form.usual
    /// The framing of the outgoing body.
    var outgoing = Outgoing.none

    /// Whether `held` is the whole outgoing body.
    var isHeldWhole: Bool {
        switch outgoing {
        case .none: true
        case .length(let length): length == held.count
        case .chunked: false
        }
    }

    enum Outgoing: Equatable {
        case none
        case length(Int)
        case chunked
    }

    mutating func begin(framing: BodyFraming) {
        isComplete = false
        switch framing {
        case .none: outgoing = .none
        case .length(let length): outgoing = .length(length)
        case .chunked, .untilClose: outgoing = .chunked
        }
    }

    mutating func reset() {
        isComplete = false
        isCollecting = false
        receivedBytes = 0
        isExpectationMet = false
        if !held.isEmpty { held.removeAll() }
        extractor = nil
        coded = nil
        members = .none
        form = .usual
        whole.removeAll()
        outgoing = .none
    }
    // MARK: - What is held

    /// Replaces the body by JSON that is made here; the closing brace is added.
    mutating func replace(by opening: [UInt8], _ rest: [UInt8]) {
        if !held.isEmpty { held.removeAll() }
        held.append(opening)
        held.append(rest)
        held.append("}")
        outgoing = .length(held.count)
    }

    /// Replaces the beginning of what is held, which is `old`.
    mutating func replaceOpening(_ old: [UInt8], by new: [UInt8]) {
        if old == new { return }
        var whole = Outbox()
        whole.append(new)
        var left = old.count
        held.forEachRun { run, _ in
            let skipped = min(left, run.count)
            left -= skipped
            whole.append(UnsafeRawBufferPointer(rebasing: run.dropFirst(skipped)))
        }
        swap(&held, &whole)
        if case .length = outgoing { outgoing = .length(held.count) }
    }
}

/// Checks bodies before they go upstream: their type, their coding, their content. Also holds bodies that are signed,
/// because the signature is in the head.
extension RequestBody {
    /// Called when the head of the request is known.
    /// - Returns: `incomplete` where the body has to be read and checked first.
    mutating func begin(_ route: Route, of request: BoundRequest, _ loop: LoopContext) -> BodyVerdict {
        let framing = request.head.framing
        if case .length(let length) = framing, length > route.bodyBytesMax {
            return .refused(Self.tooLarge("The body has \(length) bytes", route, atMost: route.bodyBytesMax))
        }
        let hasBody = framing != .none
        let isRewritten = route.rewritesBody
        switch route.bodyMode {
        case .pass: return beginHolding(route, request)
        case .refuse:
            guard hasBody, framing != .length(0) else { return .ready }
            // Chunked bodies, and streams of HTTP/2, may turn out to be empty at their end. A client that expects 100
            // Continue has something to send.
            guard framing == .chunked, !request.head.expectsContinue else { return unwanted(route) }
            isCollecting = true
            return .incomplete
        case .typed(let mediaType, let charset):
            if hasBody,
                let problem = ContentTypeCheck.problem(
                    in: &request.head, mediaType: mediaType, charset: charset, isRewritten: isRewritten)
            {
                return .refused(problem)
            }
            return beginHolding(route, request)
        case .json(let plan):
            if let problem = ContentTypeCheck.problem(
                in: &request.head, mediaType: "application/json", hasBody: hasBody, isRewritten: isRewritten)
            {
                return .refused(problem)
            }
            extractor = loop.takeExtractor(plan)
            if !route.secrets.members.isEmpty || route.graphQL != nil { members = .awaited }
        case .form:
            if let problem = ContentTypeCheck.problem(
                in: &request.head, mediaType: "application/x-www-form-urlencoded", hasBody: hasBody,
                isRewritten: isRewritten)
            {
                return .refused(problem)
            }
        }
        if let problem = beginDecoding(&request.head, route, loop) { return .refused(problem) }
        isCollecting = true
        return .incomplete
    }

    private mutating func unwanted(_ route: Route) -> BodyVerdict {
        isCollecting = false
        return .refused(Problem(.badBody, detail: "\(route.binding.name) takes no body."))
    }

    /// Prepares to decode a coded body that is checked; it goes upstream without its coding.
    private mutating func beginDecoding(
        _ head: inout RequestHead, _ route: Route, _ loop: LoopContext
    ) -> Problem? {
        if head.fields.firstIndex(of: .contentEncoding) == nil { return nil }
        let codingsMax = loop.limits.contentCodings
        switch CodingStack.read(head.fields, atMost: codingsMax) {
        case .plain: break
        case .coded(let codings):
            var limits = DecodingLimits(loop.limits)
            limits.decodedBytes = min(limits.decodedBytes, route.bodyBytesMax)
            coded = loop.coding.take(codings, limits: limits)
        case .unknown(let name):
            return Problem(
                .unsupportedCoding,
                detail: "The body is in the content coding '\(name)'; send it in one of \(ContentCoding.list), or "
                    + "without.")
        case .tooMany:
            return Problem(
                .unsupportedCoding,
                detail: "The body has more than \(codingsMax) content codings; send it with one.")
        }
        for index in 0..<head.fields.count where head.fields[index].id == .contentEncoding {
            head.fields.mark(index)
        }
        return nil
    }

    // MARK: - Content

    /// A piece of a body that is checked before anything goes upstream.
    mutating func collect(
        _ bytes: UnsafeRawBufferPointer, _ route: Route, of request: BoundRequest, _ limits: Limits
    ) -> BodyVerdict {
        switch route.bodyMode {
        case .refuse: return unwanted(route)
        case .pass, .typed: return hold(bytes, route)
        case .json, .form: break
        }
        guard let extractor else { return collectForm(bytes, limits) }
        if route.binding.answer == .echo { whole.append(bytes) }
        extractor.feed(bytes)
        return takeProven(extractor, route, request)
    }

    private mutating func takeProven(
        _ extractor: Extractor, _ route: Route, _ request: BoundRequest
    ) -> BodyVerdict {
        if extractor.isFailed, extractor.failureIsSyntax || checkedBytes > route.binding.holdBytes {
            return .refused(failure(of: extractor, route))
        }
        if !extractor.isFailed {
            if held.isEmpty { held.append(route.wrapOpening) }
            for piece in extractor.pieces {
                let run = UnsafeRawBufferPointer(start: piece.base, count: piece.count)
                let proven = members == .none ? run : members.write(before: run, into: &held, route, request)
                held.append(proven)
            }
        }
        extractor.clearPieces()
        // An echo may be longer than what remains for the upstream.
        if max(held.count, whole.count) > route.binding.holdBytes, members == .none {
            if request.signsBody(route) { return tooLargeToSign(route) }
            isCollecting = false
            outgoing = .chunked
            return .ready
        }
        return .incomplete
    }

    private mutating func collectForm(_ bytes: UnsafeRawBufferPointer, _ limits: Limits) -> BodyVerdict {
        whole.append(bytes)
        let most = limits.bodyParametersBytes
        if whole.count <= most { return .incomplete }
        return .refused(Problem(.contentTooLarge, detail: "A form of more than \(most) bytes is not taken."))
    }

    /// The whole body has arrived, and is checked before it goes upstream.
    mutating func endCollecting(_ route: Route, of request: BoundRequest, _ loop: LoopContext) -> BodyVerdict {
        isCollecting = false
        switch route.bodyMode {
        case .refuse:
            outgoing = .length(0)
            return .ready
        case .pass, .typed:
            outgoing = .length(held.count)
            return .ready
        case .json, .form: break
        }
        guard let extractor else { return endForm(route, request) }
        extractor.finish()
        if extractor.isFailed { return .refused(failure(of: extractor, route)) }
        // A number is proven by the end only, and may pass `hold` there: no more follows that could stream.
        if case .refused(let problem) = takeProven(extractor, route, request) { return .refused(problem) }
        held.append(route.wrapClosing)
        outgoing = .length(held.count)
        loop.giveBack(extractor)
        self.extractor = nil
        return .ready
    }

    private mutating func endForm(_ route: Route, _ request: BoundRequest) -> BodyVerdict {
        guard case .form(let fields) = route.bodyMode else { preconditionFailure("a form without fields") }
        var reader = FormReader(
            fields: fields, unknown: route.binding.unknownParameters, faultsMax: route.binding.reportCount)
        reader.read(whole.bytes)
        guard reader.faults.isEmpty else {
            var problem = Problem(.badBody, detail: Self.isOfAnotherType)
            problem.faults = reader.faults
            return .refused(problem)
        }
        held.append(reader.encoded)
        AddedMembers.write(toForm: &held, isEmpty: reader.encoded.isEmpty, route, request)
        outgoing = .length(held.count)
        return .ready
    }

    // MARK: - What is signed

    /// For a body that is not checked: holds it if it has to be signed.
    private mutating func beginHolding(_ route: Route, _ request: BoundRequest) -> BodyVerdict {
        guard request.signsBody(route), !request.isUpgrading else { return .ready }
        switch request.head.framing {
        case .none, .length(0): return .ready
        case .length(let length) where length > route.binding.holdBytes: return tooLargeToSign(route)
        case .length, .chunked, .untilClose:
            isCollecting = true
            return .incomplete
        }
    }

    private mutating func hold(_ bytes: UnsafeRawBufferPointer, _ route: Route) -> BodyVerdict {
        if held.count + bytes.count > route.binding.holdBytes { return tooLargeToSign(route) }
        held.append(bytes)
        return .incomplete
    }

    private func tooLargeToSign(_ route: Route) -> BodyVerdict {
        .refused(
            Problem(
                .contentTooLarge,
                detail: "The request is signed, and its body is longer than the \(route.binding.holdBytes) bytes that "
                    + "are held for that; 'hold:' of \(route.binding.name) says how many."))
    }

    // MARK: - Faults

    /// - Parameter route: nil where the request has no route.
    static func tooLarge(_ finding: String, _ route: Route?, atMost most: Int) -> Problem {
        let binding = route.flatMap { $0.binding.bodyBytesMax == nil ? nil : $0.binding.name }
        let key = binding.map { "'body-max:' of \($0)" } ?? "'limits.body'"
        return Problem(.contentTooLarge, detail: "\(finding); \(key) takes at most \(most).")
    }

    private static let isOfAnotherType = "The body is not of the declared type."

    /// The problem of a body that was not accepted.
    mutating func failure(of extractor: Extractor, _ route: Route?) -> Problem {
        isCollecting = false
        var detail = Self.isOfAnotherType
        if let limit = extractor.exceededLimit {
            detail = "The JSON of the body is beyond a limit; 'limits.\(limit)' says how much is taken."
        } else if extractor.failureIsSyntax {
            detail =
                extractor.isEmpty ? "The body is empty in the place of JSON." : "The body is not valid JSON."
        }
        var problem = Problem(.badBody, detail: detail)
        problem.faults = route?.bodyKeys.hinting(extractor.faults) ?? extractor.faults
        return problem
    }
}
