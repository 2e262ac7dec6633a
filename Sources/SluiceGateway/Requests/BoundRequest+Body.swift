internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// What comes of looking at a request's body.
enum BodyVerdict {
    /// The request may go on.
    case ready
    /// More of the body has to arrive first.
    case incomplete
    case refused(Problem)
}

/// Bodies that are checked before they go upstream: their type, their coding, their content.
extension BoundRequest {
    /// The head of the request is known.
    /// - Returns: `incomplete` where the body has to be read and checked first.
    func beginBody(_ route: Route, _ loop: LoopContext) -> BodyVerdict {
        if case .length(let length) = head.framing, length > route.bodyBytesMax {
            return .refused(
                Problem(
                    .contentTooLarge, detail: "The body has \(length) bytes; at most \(route.bodyBytesMax) are taken."))
        }
        let hasBody = head.framing != .none
        switch route.bodyMode {
        case .pass: return beginHolding(route)
        case .refuse:
            guard hasBody, head.framing != .length(0) else { return .ready }
            // Chunks, and streams of HTTP/2, show only with their end that they are empty. A client that asks first
            // has something to send.
            guard head.framing == .chunked, !head.expectsContinue else { return unwantedBody(route) }
            body.isCollecting = true
            return .incomplete
        case .typed(let mediaType, let charset):
            let problem = hasBody ? checkContentType(mediaType, charset: charset) : nil
            return problem.map { .refused($0) } ?? beginHolding(route)
        case .json(let plan):
            if let problem = requireContentType("application/json", hasBody: hasBody) { return .refused(problem) }
            body.extractor = loop.takeExtractor(plan)
            if !route.secrets.members.isEmpty || route.graphQL != nil { body.members = .awaited }
        case .form:
            if let problem = requireContentType("application/x-www-form-urlencoded", hasBody: hasBody) {
                return .refused(problem)
            }
        }
        if let problem = beginDecoding(route, loop) { return .refused(problem) }
        body.isCollecting = true
        return .incomplete
    }

    private func requireContentType(_ mediaType: String, hasBody: Bool) -> Problem? {
        guard hasBody else { return Problem(.badBody, detail: "A body of type \(mediaType) is missing.") }
        // A part of a representation is refused where nobody knows what to do with it (RFC 9110 §14.5).
        guard head.fields.firstIndex(of: .contentRange) == nil else {
            return Problem(
                .badBody, detail: "A part of a body (Content-Range) cannot be checked; send the whole of it.")
        }
        return checkContentType(mediaType, charset: nil)
    }

    private func checkContentType(_ mediaType: String, charset: String?) -> Problem? {
        guard let index = head.fields.firstIndex(of: .contentType) else {
            // Without a Content-Type a recipient may look at the data (RFC 9110 §8.3): the check that follows does. The
            // upstream is told what it is; but nobody knows the boundary of a multipart body.
            if mediaType != "multipart/form-data" {
                head.fields.append(.contentType, text: mediaType + (charset.map { "; charset=\($0)" } ?? ""))
            }
            return nil
        }
        for other in (index + 1)..<head.fields.count where head.fields[other].id == .contentType {
            return Problem(.unsupportedMediaType, detail: "Content-Type stands more than once; send it once.")
        }
        let value = head.fields.value(index)
        var found: String { Shown.text(value) }
        guard let contentType = ContentType(value), contentType.mediaType.equalsIgnoringCase(Array(mediaType.utf8))
        else {
            return Problem(
                .unsupportedMediaType, detail: "The body has to be \(mediaType); this one is '\(found)'.")
        }
        if let charset {
            let isRight = contentType.charset?.equalsIgnoringCase(Array(charset.utf8)) == true
            if isRight, !contentType.isAmbiguous { return nil }
            return Problem(.unsupportedMediaType, detail: "The text has to be in charset \(charset); say so.")
        }
        // JSON is UTF-8 (RFC 8259 §8.1), and so are fields of forms: a program that reads it in another charset reads
        // something else than what is checked here.
        if route?.rewritesBody == true, !contentType.isUTF8 {
            return Problem(.unsupportedMediaType, detail: "The body has to be UTF-8; this one is '\(found)'.")
        }
        return nil
    }

    private func unwantedBody(_ route: Route) -> BodyVerdict {
        body.isCollecting = false
        return .refused(Problem(.badBody, detail: "\(route.binding.name) takes no body."))
    }

    /// A coded body that is checked: can it be read? It goes upstream without its coding.
    private func beginDecoding(_ route: Route, _ loop: LoopContext) -> Problem? {
        if head.fields.firstIndex(of: .contentEncoding) == nil { return nil }
        let codingsMax = loop.limits.contentCodings
        switch CodingStack.read(head.fields, atMost: codingsMax) {
        case .plain: break
        case .coded(let codings):
            var limits = DecodingLimits(loop.limits)
            limits.decodedBytes = min(limits.decodedBytes, route.bodyBytesMax)
            body.coded = loop.coding.take(codings, limits: limits)
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
    func collect(_ bytes: UnsafeRawBufferPointer, _ route: Route, _ limits: Limits) -> BodyVerdict {
        switch route.bodyMode {
        case .refuse: return unwantedBody(route)
        case .pass, .typed: return hold(bytes, route)
        case .json, .form: break
        }
        guard let extractor = body.extractor else { return collectForm(bytes, limits) }
        if route.binding.answer == .echo { body.whole.append(bytes) }
        extractor.feed(bytes)
        return takeProven(extractor, route)
    }

    private func takeProven(_ extractor: Extractor, _ route: Route) -> BodyVerdict {
        if extractor.isFailed, extractor.failureIsSyntax || body.checkedBytes > route.binding.holdBytes {
            return .refused(failure(of: extractor))
        }
        if !extractor.isFailed {
            if body.held.isEmpty { body.held.append(route.wrapOpening) }
            for piece in extractor.pieces {
                let run = UnsafeRawBufferPointer(start: piece.base, count: piece.count)
                body.held.append(body.members == .none ? run : addMembers(before: run, route))
            }
        }
        extractor.clearPieces()
        // An echo may be of more than what is left of it for the upstream.
        if max(body.held.count, body.whole.count) > route.binding.holdBytes, body.members == .none {
            if signsBody(route) { return tooLargeToSign(route) }
            body.isCollecting = false
            body.outgoing = .chunked
            return .ready
        }
        return .incomplete
    }

    private func collectForm(_ bytes: UnsafeRawBufferPointer, _ limits: Limits) -> BodyVerdict {
        body.whole.append(bytes)
        let most = limits.bodyParametersBytes
        if body.whole.count <= most { return .incomplete }
        return .refused(Problem(.contentTooLarge, detail: "A form of more than \(most) bytes is not taken."))
    }

    /// All of a body that is checked before it goes upstream has arrived.
    func endCollecting(_ route: Route, _ loop: LoopContext) -> BodyVerdict {
        body.isCollecting = false
        switch route.bodyMode {
        case .refuse:
            body.outgoing = .length(0)
            return .ready
        case .pass, .typed:
            body.outgoing = .length(body.held.count)
            return .ready
        case .json, .form: break
        }
        guard let extractor = body.extractor else { return endForm(route) }
        extractor.finish()
        if extractor.isFailed { return .refused(failure(of: extractor)) }
        let verdict = takeProven(extractor, route)
        guard case .incomplete = verdict else { return verdict }
        body.held.append(route.wrapClosing)
        body.outgoing = .length(body.held.count)
        loop.giveBack(extractor)
        body.extractor = nil
        return .ready
    }

    private func endForm(_ route: Route) -> BodyVerdict {
        guard case .form(let fields) = route.bodyMode else { preconditionFailure("a form without fields") }
        var reader = FormReader(fields: fields, unknown: route.binding.unknownParameters)
        reader.read(body.whole.bytes)
        guard reader.faults.isEmpty else {
            var problem = Problem(.badBody, detail: Self.isOfAnotherType)
            problem.faults = reader.faults
            return .refused(problem)
        }
        body.held.append(reader.encoded)
        addMembers(toForm: route, isEmpty: reader.encoded.isEmpty)
        body.outgoing = .length(body.held.count)
        return .ready
    }

    // MARK: - Faults

    private static let isOfAnotherType = "The body is not of the declared type."

    /// What is wrong with a body.
    func failure(of extractor: Extractor) -> Problem {
        body.isCollecting = false
        var detail = Self.isOfAnotherType
        if extractor.failureIsSyntax {
            detail =
                extractor.isEmpty ? "The body is empty in the place of JSON." : "The body is not valid JSON."
        }
        var problem = Problem(.badBody, detail: detail)
        problem.faults = extractor.faults
        return problem
    }
}
