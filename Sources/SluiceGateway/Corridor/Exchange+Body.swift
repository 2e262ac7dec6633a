internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

extension Exchange {
    /// Does the body have to be proven before anything goes upstream?
    func checkBody() -> Step {
        guard let route else { preconditionFailure("a body without a route") }
        if let problem = readUpgrade(route) { return refused(problem) }
        if case .length(let length) = request.head.framing, length > route.bodyBytesMax {
            return refused(
                Problem(
                    .contentTooLarge, detail: "The body has \(length) bytes; at most \(route.bodyBytesMax) are taken."))
        }
        let hasBody = request.head.framing != .none
        switch route.bodyMode {
        case .pass: return .consultCache
        case .refuse:
            guard hasBody, request.head.framing != .length(0) else { return .consultCache }
            // Chunks, and streams of HTTP/2, show only with their end that they are empty. Who asks first, has
            // something.
            guard request.head.framing == .chunked, !request.head.expectsContinue else { return unwantedBody(route) }
            request.body.isCollecting = true
            return .rest
        case .typed(let mediaType, let charset):
            return hasBody ? checkContentType(mediaType, charset: charset) : .consultCache
        case .json(let plan):
            if let step = requireContentType("application/json", hasBody: hasBody) { return step }
            let extractor = loop.takeExtractor(plan)
            request.body.extractor = extractor
        case .form:
            if let step = requireContentType("application/x-www-form-urlencoded", hasBody: hasBody) { return step }
        }
        if let step = beginDecoding(route) { return step }
        request.body.isCollecting = true
        if request.head.expectsContinue { tellToContinue() }
        return .rest
    }

    private func requireContentType(_ mediaType: String, hasBody: Bool) -> Step? {
        guard hasBody else {
            return refused(Problem(.badBody, detail: "A body of type \(mediaType) is missing."))
        }
        // Whoever does not know what to do with a part of a representation says so (RFC 9110 §14.5).
        guard request.head.fields.firstIndex(of: .contentRange) == nil else {
            return refused(
                Problem(.badBody, detail: "A part of a body (Content-Range) cannot be checked; send the whole of it."))
        }
        let step = checkContentType(mediaType, charset: nil)
        if case .consultCache = step { return nil }
        return step
    }

    private func checkContentType(_ mediaType: String, charset: String?) -> Step {
        guard let index = request.head.fields.firstIndex(of: .contentType) else {
            // Without a Content-Type a recipient may look at the data (RFC 9110 §8.3): the check that follows does. The
            // upstream is told what it is; but nobody knows the boundary of a multipart body.
            if mediaType != "multipart/form-data" {
                request.head.fields.append(.contentType, text: mediaType + (charset.map { "; charset=\($0)" } ?? ""))
            }
            return .consultCache
        }
        for other in (index + 1)..<request.head.fields.count where request.head.fields[other].id == .contentType {
            return refused(
                Problem(.unsupportedMediaType, detail: "Content-Type stands more than once; send it once."))
        }
        let value = request.head.fields.value(index)
        var found: String { Shown.text(value) }
        guard let contentType = ContentType(value), contentType.mediaType.equalsIgnoringCase(Array(mediaType.utf8))
        else {
            return refused(
                Problem(.unsupportedMediaType, detail: "The body has to be \(mediaType); this one is '\(found)'."))
        }
        if let charset {
            let isRight = contentType.charset?.equalsIgnoringCase(Array(charset.utf8)) == true
            if isRight, !contentType.isAmbiguous { return .consultCache }
            return refused(Problem(.unsupportedMediaType, detail: "The text has to be in charset \(charset); say so."))
        }
        // JSON is UTF-8 (RFC 8259 §8.1), and so are fields of forms: who reads it in another charset reads something
        // else than what is checked here.
        if route?.rewritesBody == true, !contentType.isUTF8 {
            return refused(
                Problem(.unsupportedMediaType, detail: "The body has to be UTF-8; this one is '\(found)'."))
        }
        return .consultCache
    }

    private func unwantedBody(_ route: Route) -> Step {
        request.body.isCollecting = false
        return refused(Problem(.badBody, detail: "\(route.binding.name) takes no body."))
    }

    /// Tells the client to send the body, once.
    func tellToContinue() {
        if request.body.isExpectationMet { return }
        request.body.isExpectationMet = true
        var head = ResponseHead()
        head.status = 100
        interim(head)
    }

    /// A piece of a body that is checked before it goes upstream.
    func collect(_ bytes: UnsafeRawBufferPointer) -> Step {
        guard let route else { preconditionFailure("a body without a route") }
        if case .refuse = route.bodyMode { return unwantedBody(route) }
        guard let extractor = request.body.extractor else { return collectForm(bytes) }
        if route.binding.answer == .echo { request.body.whole.append(bytes) }
        extractor.feed(bytes)
        return takeProven(extractor, route)
    }

    private func takeProven(_ extractor: Extractor, _ route: Route) -> Step {
        if extractor.isFailed, extractor.failureIsSyntax || request.body.checkedBytes > route.binding.holdBytes {
            return badBody(extractor.faults, Self.wrong(extractor))
        }
        if !extractor.isFailed {
            if request.body.held.isEmpty { request.body.held.append(route.wrapOpening) }
            for piece in extractor.pieces {
                request.body.held.append(UnsafeRawBufferPointer(start: piece.base, count: piece.count))
            }
        }
        extractor.clearPieces()
        // An echo may be of more than what is left of it for the upstream.
        if max(request.body.held.count, request.body.whole.count) > route.binding.holdBytes {
            request.body.isCollecting = false
            request.body.outgoing = .chunked
            return .consultCache
        }
        return .rest
    }

    private func collectForm(_ bytes: UnsafeRawBufferPointer) -> Step {
        request.body.whole.append(bytes)
        let most = loop.limits.bodyParametersBytes
        if request.body.whole.count > most {
            return refused(Problem(.contentTooLarge, detail: "A form of more than \(most) bytes is not taken."))
        }
        return .rest
    }

    /// All of a body that is checked before it goes upstream has arrived.
    func bodyCollected() -> Step {
        guard let route else { preconditionFailure("a body without a route") }
        request.body.isCollecting = false
        if case .refuse = route.bodyMode {
            request.body.outgoing = .length(0)
            return .consultCache
        }
        guard let extractor = request.body.extractor else { return formCollected(route) }
        extractor.finish()
        if extractor.isFailed { return badBody(extractor.faults, Self.wrong(extractor)) }
        let step = takeProven(extractor, route)
        guard case .rest = step else { return step }
        request.body.held.append(route.wrapClosing)
        request.body.outgoing = .length(request.body.held.count)
        loop.giveBack(extractor)
        request.body.extractor = nil
        return .consultCache
    }

    /// A piece of a body that has outgrown `hold`: it goes upstream as it is proven.
    func streamChecked(_ bytes: UnsafeRawBufferPointer) {
        guard let extractor = request.body.extractor else { return }
        extractor.feed(bytes)
        sendProven(extractor, of: bytes)
    }

    /// - Returns: whether the body was as declared to its end; else the exchange has failed.
    func endChecked() -> Bool {
        guard let extractor = request.body.extractor, let route else { return true }
        extractor.finish()
        sendProven(extractor, of: .empty)
        if phase == .answered || extractor.isFailed { return false }
        request.body.extractor = nil
        loop.giveBack(extractor)
        route.wrapClosing.withUnsafeBytes { fetch?.sendBody($0, lifetime: .call) }
        return true
    }

    private func sendProven(_ extractor: Extractor, of chunk: UnsafeRawBufferPointer) {
        if extractor.isFailed {
            var problem = Problem(.badBody, detail: Self.wrong(extractor))
            problem.faults = extractor.faults
            return fail(problem)
        }
        for piece in extractor.pieces {
            fetch?.sendBody(
                UnsafeRawBufferPointer(start: piece.base, count: piece.count), lifetime: piece.lifetime(in: chunk))
        }
        extractor.clearPieces()
    }

    private static let isOfAnotherType = "The body is not of the declared type."

    private static func wrong(_ extractor: Extractor) -> String {
        guard extractor.failureIsSyntax else { return isOfAnotherType }
        return extractor.isEmpty ? "The body is empty in the place of JSON." : "The body is not valid JSON."
    }

    private func badBody(_ faults: [Problem.Fault], _ detail: String) -> Step {
        request.body.isCollecting = false
        var problem = Problem(.badBody, detail: detail)
        problem.faults = faults
        return refused(problem)
    }

    private func formCollected(_ route: Route) -> Step {
        guard case .form(let fields) = route.bodyMode else { preconditionFailure("a form without fields") }
        var reader = FormReader(fields: fields, unknown: route.binding.unknownParameters)
        reader.read(request.body.whole.bytes)
        guard reader.faults.isEmpty else { return badBody(reader.faults, Self.isOfAnotherType) }
        request.body.held.append(reader.encoded)
        request.body.outgoing = .length(request.body.held.count)
        return .consultCache
    }
}
