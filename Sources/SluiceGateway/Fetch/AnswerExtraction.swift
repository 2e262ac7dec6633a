internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Cuts values out of one answer: the binding's own value, values of other bindings (``SharedSlices``), a token to
/// keep. Bytes of the document go in; an ``Outcome`` comes out.
///
/// It knows neither the fetch nor its consumer.
struct AnswerExtraction: ~Copyable {
    /// When the value is sent to the consumer.
    enum Delivery {
        /// Once it is validated, so that a fault can still be answered as a problem.
        case held
        /// As it arrives: it has outgrown `hold:`.
        case streaming
    }

    /// The result of feeding a piece of the document.
    enum Outcome: Equatable {
        /// Nothing to send.
        case held
        /// The value has outgrown `hold:`: the held bytes are sent now, and the rest as it arrives.
        case outgrown
        /// The held bytes are sent (``takeHeld(into:)``).
        case streams
        /// The value is not as declared, and the rest of the document is not read.
        case failed
    }

    /// The state of the value at the end of the document.
    enum Value: Equatable {
        case absent
        /// The whole value is held; its length in bytes.
        case held(Int)
        /// The value has been sent, at least in part.
        case streamed
    }

    private(set) var extractor: Extractor?
    var delivery = Delivery.held
    /// The bytes of the value that have not been sent.
    var held = Outbox()
    /// Set where the values are read from rows of text.
    private(set) var rows: RowExtraction?
    private(set) var valueSlice: Int?
    private var tokenSlice: Int?
    private var expirySlice: Int?
    private var shared: SharedSlices?
    private var errors: ErrorReading?
    private var pages: PageSlices?
    private var persisted: PersistedSlices?
    private(set) var noted: NotedSlices?
    private var token = ByteScratch()
    private var expiry = ByteScratch()
    private var holdBytes = 0
    private var endsEarly = false
    private var fedBytes = 0
    /// Checks the document for drift while values are cut out of it.
    private(set) var watch: DriftWatch?
    /// Faults in the fields of the answer's head.
    private var headFaults: [Problem.Fault] = []

    /// - Parameters:
    ///   - holdBytes: a value of up to so many bytes is held until it is validated.
    ///   - endsEarly: what follows the last slice is ignored, even if it is not JSON.
    ///   - shared: takes the values that the plan cuts for other bindings.
    mutating func begin(
        _ plan: AnswerPlan, _ extractor: consuming Extractor, holdBytes: Int, endsEarly: Bool,
        sharing shared: SharedSlices? = nil
    ) {
        self.extractor = extractor
        valueSlice = plan.valueSlice
        tokenSlice = plan.tokenSlice
        expirySlice = plan.expirySlice
        self.shared = shared
        rows = plan.rows.map { RowExtraction($0) }
        if let told = plan.noted {
            let noted = NotedSlices(from: told.first, count: told.extractions.count)
            self.noted = noted
            errors = told.errors.map { ErrorReading($0, noted) }
            (pages, persisted) = (told.pages, told.persisted)
        }
        self.holdBytes = holdBytes
        self.endsEarly = endsEarly
    }

    /// Puts members taken from the answer's head into the value.
    mutating func lead(_ head: (members: [UInt8], faults: [Problem.Fault])) {
        headFaults = head.faults
        if let extractor, let valueSlice { extractor.lead(head.members, of: valueSlice) }
    }

    /// Has `watch` check the document for drift.
    mutating func look(by watch: DriftWatch) { self.watch = watch }

    mutating func takeWatch() -> DriftWatch? {
        defer { watch = nil }
        return watch
    }

    /// - Returns: the extractor, for its owner.
    mutating func end() -> Extractor? {
        guard let extractor else { return nil }
        self.extractor = nil
        shared = nil
        rows = nil
        if noted != nil { (errors, pages, persisted, noted) = (nil, nil, nil, nil) }
        if !headFaults.isEmpty { headFaults = [] }
        delivery = .held
        fedBytes = 0
        if !held.isEmpty { held.removeAll() }
        token.removeAll()
        expiry.removeAll()
        return extractor
    }

    var isActive: Bool { extractor != nil }

    // MARK: - The document

    mutating func feed(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard let extractor = extractor.borrowed else { return .held }
        fedBytes += bytes.count
        return extractor { extractor in
            if let watch { watch.feed(bytes) }
            if let rows { return feed(bytes, rows, extractor) }
            extractor.feed(bytes)
            return takePieces(of: extractor, in: bytes)
        }
    }

    /// The document has ended.
    mutating func finish() -> Outcome {
        guard let extractor = extractor.borrowed else { return .held }
        return extractor { extractor in
            if let rows { return finish(rows, extractor) }
            extractor.finish()
            if let watch { watch.finish() }
            let outcome = takePieces(of: extractor, in: .empty)
            return hasFailed(extractor) ? .failed : outcome
        }
    }

    /// All wanted values are complete and valid, and the rest of the document does not matter.
    var isProvenEarly: Bool { endsEarly && headFaults.isEmpty && extractor?.isSatisfied == true }

    mutating func takePieces(of extractor: Extractor, in chunk: UnsafeRawBufferPointer) -> Outcome {
        if let shared {
            for piece in extractor.pieces where piece.slice != valueSlice { shared.append(piece) }
        }
        if let noted { noted.take(extractor.pieces) }
        if hasFailed(extractor) {
            extractor.clearPieces()
            // The rest of a document that is held is still looked at, so that one answer shows all that has drifted.
            return extractor.failureIsSyntax || delivery == .streaming || fedBytes > holdBytes ? .failed : .held
        }
        for piece in extractor.pieces {
            let run = UnsafeRawBufferPointer(start: piece.base, count: piece.count)
            if piece.slice == valueSlice {
                switch piece.lifetime(in: chunk) {
                case .drain: held.borrow(run)
                case .call: held.append(run)
                }
            } else if piece.slice == tokenSlice {
                token.append(run)
            } else if piece.slice == expirySlice {
                noteExpiry(run)
            }
        }
        extractor.clearPieces()
        switch delivery {
        case .streaming: return held.isEmpty ? .held : .streams
        // After a bare null, the document may still say that the query has to be sent in full.
        case .held where held.count > (persisted == nil ? holdBytes : max(holdBytes, "null".utf8.count)):
            // The document is read to its end for the error's message; the value itself is not wanted.
            if let errors, errors.rule.keepsData == false, errors.isReported(extractor) {
                held.removeAll()
                return .held
            }
            delivery = .streaming
            return .outgrown
        case .held: return .held
        }
    }

    /// Whether a value that the binding itself wants is not as declared.
    func hasFailed(_ extractor: Extractor) -> Bool {
        if !headFaults.isEmpty { return true }
        guard isOneOfSeveral, let valueSlice else { return extractor.isFailed }
        return [valueSlice, tokenSlice, expirySlice].contains { $0.map { extractor.isFailed(slice: $0) } ?? false }
    }

    /// Whether other slices of the plan may fail without failing the value.
    private var isOneOfSeveral: Bool { shared != nil || noted != nil }

    // MARK: - The value

    /// Valid once the document has ended, or ``isProvenEarly``.
    var value: Value {
        if delivery == .streaming { return .streamed }
        guard let extractor, let valueSlice, extractor.state(of: valueSlice) != .absent else { return .absent }
        return .held(held.count)
    }

    /// The held bytes, as a copy.
    var heldBytes: [UInt8] {
        var bytes: [UInt8] = []
        held.forEachRun { run, _ in bytes += run }
        return bytes
    }

    /// Moves the held bytes to `out`, which is empty.
    mutating func takeHeld(into out: inout Outbox) { swap(&out, &held) }

    /// The input buffer that the held slice borrows from is about to be reused.
    mutating func settle(keepingIn pages: InputPages) { held.settle(keepingIn: pages) }

    /// What is wrong with the value.
    func problem(upstream: String, contentType: String?) -> Problem? {
        guard let extractor else { return nil }
        var problem = Judge.typeFailure(
            extractor, upstream: upstream, slice: isOneOfSeveral ? valueSlice : nil,
            contentType: rows == nil ? contentType : nil)
        problem.faults = headFaults + problem.faults
        let isBroken = extractor.failureIsSyntax && extractor.exceededLimit == nil
        return rows?.problem(problem, upstream: upstream, isBroken: isBroken) ?? problem
    }

    /// Whether the document is broken for every binding that wants a value of it.
    var isBroken: Bool { extractor?.failureIsSyntax == true }

    /// Takes the values of other bindings out.
    mutating func takeShared() -> SharedSlices? {
        defer { shared = nil }
        return shared
    }

    // MARK: - Errors with a status of success

    /// The error that the answer reports in its body, once it has ended or failed; nil where it reports none.
    func reportedError(_ fields: borrowing HeaderBlock, upstream: String) -> Problem? {
        guard let errors, let extractor, !extractor.failureIsSyntax, errors.isReported(extractor) else { return nil }
        return errors.problem(extractor, fields, upstream: upstream)
    }

    /// Whether the value may be answered beside an error: it is present, and more than a null.
    var keepsData: Bool {
        guard let errors, errors.rule.keepsData, let extractor, !hasFailed(extractor) else { return false }
        return hasData
    }

    /// Whether the value is present, and more than a null; a value that is being sent is.
    var hasData: Bool {
        if delivery == .streaming { return true }
        guard let extractor, let valueSlice, !hasFailed(extractor), extractor.state(of: valueSlice) != .absent
        else { return false }
        return !(held.count == 4 && held.firstRun.elementsEqual("null".utf8))
    }

    /// Why the server does not answer the digest of a query; nil where it does answer it.
    var persistedRefusal: PersistedQuery.Refusal? {
        guard let extractor, let noted, let persisted else { return nil }
        return PersistedQuery.Refusal(
            message: noted.text(persisted.messageSlice, extractor), code: noted.text(persisted.codeSlice, extractor))
    }

    // MARK: - Pages

    /// The reference to the next page.
    var nextPage: NotedSlices.Reading {
        guard let extractor, let noted, let slice = pages?.nextSlice else { return .nothing }
        return noted.reading(slice, extractor)
    }

    /// What the page says about the end of its list.
    func pageEnd(_ ending: PagePolicy.Ending, _ passed: PagesPassed) -> PageEnd {
        guard let extractor, let noted, let slice = pages?.endingSlice else { return .open }
        return PageEnd(ending, noted, slice, extractor, passed)
    }

    // MARK: - The token

    /// Searches a piece of an answer that is passed through for a token.
    mutating func findToken(in bytes: UnsafeRawBufferPointer) {
        guard let extractor else { return }
        extractor.feed(bytes)
        for piece in extractor.pieces {
            let run = UnsafeRawBufferPointer(start: piece.base, count: piece.count)
            if piece.slice == tokenSlice {
                token.append(run)
            } else if piece.slice == expirySlice {
                noteExpiry(run)
            }
        }
        extractor.clearPieces()
    }

    /// The token found for `keep: {bearer: …}`; nil where it is not a valid bearer token.
    var bearerToken: [UInt8]? {
        guard let tokenSlice, let extractor, extractor.state(of: tokenSlice) == .complete else { return nil }
        guard let text = JSONText.unquote(String(decoding: token.bytes, as: UTF8.self)) else { return nil }
        let bytes = Array(text.utf8)
        return BearerToken.isValid(bytes) ? bytes : nil
    }

    /// Whether something stands in the token's place that no field can hold; null is nothing.
    var hasUnusableToken: Bool {
        guard let tokenSlice, let extractor else { return false }
        if extractor.isFailed(slice: tokenSlice) { return !isBroken }
        guard extractor.state(of: tokenSlice) == .complete else { return false }
        return bearerToken == nil && !token.bytes.elementsEqual("null".utf8)
    }

    /// No timestamp needs more bytes.
    private static let expiryBytesMax = 64

    private mutating func noteExpiry(_ run: UnsafeRawBufferPointer) {
        if expiry.count <= Self.expiryBytesMax { expiry.append(run) }
    }

    /// When the token expires, in seconds since 1970; nil where the answer does not say.
    func tokenEnd(now unix: Int) -> Int? {
        guard let expirySlice, let extractor, extractor.state(of: expirySlice) == .complete,
            expiry.count <= Self.expiryBytesMax
        else { return nil }
        return ExpiryText.end(String(decoding: expiry.bytes, as: UTF8.self), now: unix)
    }
}
