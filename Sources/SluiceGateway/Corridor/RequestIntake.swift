internal import SluiceCoding
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Passes on the body of an exchange's request as it arrives: into a check, through the decoder of its content coding,
/// to the upstream, or into a tunnel.
///
/// The state of the body itself is in ``RequestBody``.
final class RequestIntake {
    /// The cache is consulted once the request has arrived completely.
    private var awaitsEnd = false

    private enum Course {
        /// To the other side of a tunnel: bytes pass both ways unchanged, each direction under the back-pressure of its
        /// reader (RFC 9110 §7.8).
        case tunnel
        /// A body that is checked is decoded first, and sent to the upstream without its content coding.
        case decoder(CodedBody)
        /// The body is checked before anything is sent to the upstream.
        case check
        /// The body has outgrown `hold:`, and is sent to the upstream as it is validated.
        case proof(Extractor)
        /// To the upstream unchanged.
        case fetch
    }

    private func course(_ exchange: Exchange) -> Course {
        if exchange.isTunnel { return .tunnel }
        if let coded = exchange.request.body.coded { return .decoder(coded) }
        return plainCourse(exchange)
    }

    /// The course of the body once it is decoded.
    private func plainCourse(_ exchange: Exchange) -> Course {
        if exchange.request.body.isCollecting { return .check }
        if let extractor = exchange.request.body.extractor { return .proof(extractor) }
        return .fetch
    }

    func reset() { awaitsEnd = false }

    // MARK: - Facts

    /// Whether bytes of the body can be taken now.
    func wantsBytes(_ exchange: Exchange) -> Bool {
        let request = exchange.request
        if exchange.isTunnel, exchange.answer.state != .over {
            // Not once the client has half-closed.
            return !request.body.isComplete && isTakenByFetch(exchange)
        }
        if request.body.isComplete || exchange.answer.state == .over { return true }
        // The client's bytes are meant for a tunnel that is not open yet.
        if request.head.connectProtocol != .none, !exchange.isTunnel { return false }
        if let coded = request.body.coded, coded.isWaiting { return false }
        if request.body.isCollecting { return true }
        // An empty body ends at once, so that a disconnect is noticed while the request still waits for a connection.
        if request.head.framing == .none || request.head.framing == .length(0) { return true }
        return isTakenByFetch(exchange)
    }

    private func isTakenByFetch(_ exchange: Exchange) -> Bool { exchange.borrowedFetch?({ $0.takesBody() }) == true }

    func received(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) {
        if exchange.answer.state == .over { return }
        let request = exchange.request
        if !exchange.isTunnel {
            request.body.receivedBytes += bytes.count
            if let contents = request.contents { contents.take(clientBody: bytes) }
            let most = exchange.route?.bodyBytesMax ?? exchange.loop.limits.bodyBytes
            if request.body.receivedBytes > most {
                return exchange.fail(RequestBody.tooLarge("The body has more bytes", exchange.route, atMost: most))
            }
        }
        switch course(exchange) {
        case .decoder(let coded): decode(bytes, coded, exchange)
        case .check: exchange.walk(collect(bytes, exchange))
        case .proof(let extractor): prove(bytes, extractor, exchange)
        case .tunnel, .fetch: exchange.fetch?.sendBody(bytes)
        }
    }

    func ended(_ exchange: Exchange) {
        let request = exchange.request
        request.body.isComplete = true
        if exchange.isTunnel { return exchange.fetch?.endTunnelInput() ?? () }
        if exchange.answer.state == .over { return }
        if let coded = request.body.coded, !endDecoding(coded, exchange) { return }
        if awaitsEnd {
            awaitsEnd = false
            return exchange.walk(.consultCache)
        }
        switch plainCourse(exchange) {
        case .check: exchange.walk(endCheck(exchange))
        case .proof(let extractor): if endProof(extractor, exchange) { endFetchBody(exchange) }
        case .tunnel, .decoder, .fetch: endFetchBody(exchange)
        }
    }

    private func endFetchBody(_ exchange: Exchange) {
        let request = exchange.request
        if request.trailers.count > 0 {
            exchange.borrowedRoute?({ UpstreamRequestWriter.markTrailers(request, $0) })
        }
        exchange.borrowedFetch?({ $0.endBody(trailers: request.trailers) })
    }

    /// The upstream has room for the body, or more of it.
    func goOn(_ exchange: Exchange) {
        if let coded = exchange.request.body.coded, coded.isWaiting {
            postpone(coded, exchange)
        } else {
            exchange.answer.resumeRequestBody()
        }
    }

    // MARK: - What the stages ask

    /// Does the body have to be validated before anything is sent to the upstream?
    func begin(_ route: Route, _ exchange: Exchange) -> Step {
        let request = exchange.request
        if let problem = request.readUpgrade(route, &exchange.loop.random) { return exchange.refused(problem) }
        let verdict = request.body.begin(route, of: request, exchange.loop)
        if request.body.isCollecting, request.head.expectsContinue { exchange.sendContinue() }
        return step(after: verdict, exchange)
    }

    /// The cache may end the exchange at once, which is possible only when its request has arrived completely.
    /// - Returns: whether it has not: the cache is consulted once it has.
    func waitsForEnd(_ exchange: Exchange) -> Bool {
        awaitsEnd = !exchange.request.body.isComplete
        return awaitsEnd
    }

    private func step(after verdict: BodyVerdict, _ exchange: Exchange) -> Step {
        switch verdict {
        case .ready: return .consultCache
        case .incomplete: return .rest
        case .refused(let problem):
            exchange.request.body.isCollecting = false
            return exchange.refused(problem)
        }
    }

    // MARK: - Checked as a whole

    private func collect(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) -> Step {
        guard let route = exchange.route else { preconditionFailure("a body without a route") }
        return step(
            after: exchange.request.body.collect(bytes, route, of: exchange.request, exchange.loop.limits), exchange)
    }

    private func endCheck(_ exchange: Exchange) -> Step {
        guard let route = exchange.route else { preconditionFailure("a body without a route") }
        return step(after: exchange.request.body.endCollecting(route, of: exchange.request, exchange.loop), exchange)
    }

    // MARK: - Beyond `hold:`

    private func prove(_ bytes: UnsafeRawBufferPointer, _ extractor: Extractor, _ exchange: Exchange) {
        extractor.feed(bytes)
        sendProven(extractor, of: bytes, exchange)
    }

    /// - Returns: whether the whole body was as declared; else the exchange has failed.
    private func endProof(_ extractor: Extractor, _ exchange: Exchange) -> Bool {
        guard let route = exchange.route else { return true }
        extractor.finish()
        sendProven(extractor, of: .empty, exchange)
        if exchange.answer.state == .over || extractor.isFailed { return false }
        exchange.request.body.extractor = nil
        exchange.loop.giveBack(extractor)
        route.wrapClosing.withUnsafeBytes { exchange.fetch?.sendBody($0, lifetime: .call) }
        return true
    }

    private func sendProven(_ extractor: Extractor, of chunk: UnsafeRawBufferPointer, _ exchange: Exchange) {
        if extractor.isFailed {
            return exchange.fail(exchange.request.body.failure(of: extractor, exchange.route))
        }
        for piece in extractor.pieces {
            exchange.fetch?.sendBody(
                UnsafeRawBufferPointer(start: piece.base, count: piece.count), lifetime: piece.lifetime(in: chunk))
        }
        extractor.clearPieces()
    }

    // MARK: - In a content coding

    private func decode(_ bytes: UnsafeRawBufferPointer, _ coded: CodedBody, _ exchange: Exchange) {
        switch coded.arrived(
            bytes, in: exchange.loop.coding, while: { takesDecoded(exchange) }, { useDecoded($0, exchange) })
        {
        case .caughtUp, .over: break
        case .waits: postpone(coded, exchange)
        case .failed(let fault): fail(fault, coded, exchange)
        }
    }

    /// Continues decoding that was postponed.
    func resume(_ exchange: Exchange) {
        guard exchange.answer.state != .over, let coded = exchange.request.body.coded, coded.isPostponed else { return }
        switch coded.resume(
            in: exchange.loop.coding, while: { takesDecoded(exchange) }, { useDecoded($0, exchange) })
        {
        case .caughtUp: exchange.answer.resumeRequestBody()
        case .over: break
        case .waits: postpone(coded, exchange)
        case .failed(let fault): fail(fault, coded, exchange)
        }
    }

    /// - Returns: whether the coded body is complete; else the exchange has failed.
    private func endDecoding(_ coded: CodedBody, _ exchange: Exchange) -> Bool {
        do throws(CodingFault) {
            try coded.finish()
            return true
        } catch {
            fail(error, coded, exchange)
            return false
        }
    }

    /// Whether decoded bytes can be taken now.
    private func takesDecoded(_ exchange: Exchange) -> Bool {
        exchange.request.body.isCollecting || isTakenByFetch(exchange)
    }

    /// - Returns: whether the rest of the body is wanted.
    private func useDecoded(_ run: UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        switch plainCourse(exchange) {
        case .check: exchange.walk(collect(run, exchange))
        case .proof(let extractor): prove(run, extractor, exchange)
        case .tunnel, .decoder, .fetch: break
        }
        return exchange.answer.state != .over
    }

    private func postpone(_ coded: CodedBody, _ exchange: Exchange) {
        if takesDecoded(exchange) { coded.postpone(of: exchange, in: exchange.loop.coding) }
    }

    private func fail(_ fault: CodingFault, _ coded: CodedBody, _ exchange: Exchange) {
        exchange.request.body.isCollecting = false
        exchange.fail(
            Problem(
                fault.isLimit ? .contentTooLarge : .badBody,
                detail: "The body is in content coding \(coded.codings) and \(fault.reason)."))
    }
}
