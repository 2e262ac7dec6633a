internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Judges an answer: first its status, then its shape.
enum Judge {
    /// Whether both sides leave HTTP from here on.
    /// - Parameter isStream: over HTTP/2, where an extended CONNECT is answered with any 2xx (RFC 8441 §5).
    static func opensTunnel(
        _ response: borrowing ResponseHead, to request: BoundRequest, isStream: @autoclosure () -> Bool
    ) -> Bool {
        if response.status == 101 { return true }
        return request.isUpgrading && (200..<300).contains(response.status) && isStream()
    }

    /// Why an answer cannot be handed on, as the rest of a sentence about its upstream; nil where it can.
    static func fault(
        in response: borrowing ResponseHead, to request: BoundRequest, _ route: Route
    ) -> StaticString? {
        // RFC 8441 §5: to the client, any 2xx would mean that its tunnel is open.
        if request.head.connectProtocol != .none, (200..<300).contains(response.status) {
            return "did not change to WebSocket."
        }
        if isUnaskedPart(response, route) {
            return "answered with a part of the content (206), which was not asked for."
        }
        if route.isTyped, response.status == 205, response.framing != .none, response.framing != .length(0) {
            return "answered 205 with content, which such an answer does not have (RFC 9110 §15.3.6)."
        }
        if route.isTyped, response.status == 304, !isConditional(request) {
            return "answered 304, though it was not asked whether anything has changed (RFC 9110 §15.4.5)."
        }
        return nil
    }

    /// Whether the request is conditional, by the client's wish or the gateway's own.
    private static func isConditional(_ request: BoundRequest) -> Bool {
        if request.revalidated != nil || request.validators != nil { return true }
        return (0..<request.head.fields.count).contains { index in
            switch request.head.fields[index].id {
            case .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange: true
            default: false
            }
        }
    }

    /// - Parameter isFollowed: whether the gateway follows this redirect itself.
    static func treatment(
        of response: borrowing ResponseHead, _ route: Route, isFollowed: @autoclosure () -> Bool
    ) -> Treatment {
        if route.binding.answer == .echo, (200..<300).contains(response.status) { return .echo }
        if route.cuts(status: response.status) { return .extract }
        switch response.status {
        case 400...: return route.mapsErrors ? .mapError : .untouched
        case 301, 302, 303, 307, 308: return isFollowed() ? .follow : .untouched
        default: return .untouched
        }
    }

    /// Whether an answer is partial though no part was asked for (RFC 9110 §15.3.7). Only clients of bindings that pass
    /// answers through ask for ranges: no value can be cut out of some bytes of a document. Ranges in other units are
    /// different: some APIs answer 206 for a page of a list, which is a complete document.
    private static func isUnaskedPart(_ response: borrowing ResponseHead, _ route: Route) -> Bool {
        guard response.status == 206, route.isTyped else { return false }
        guard let index = response.fields.firstIndex(of: .contentRange) else { return true }
        return UnsafeRawBufferPointer(rebasing: response.fields.value(index).prefix(5)).equalsIgnoringCase("bytes")
    }

    /// - Parameters:
    ///   - slice: nil where all values of the document belong to one binding.
    ///   - contentType: the answer's media type, told where it explains why the body is not JSON: a page of HTML mostly
    ///     means a wrong URL or a sign-in.
    static func typeFailure(
        _ extractor: Extractor, upstream: String, slice: Int? = nil, contentType: String? = nil
    ) -> Problem {
        let other = contentType.flatMap { $0.lowercased().contains("json") ? nil : " but '\($0)'" } ?? ""
        let format = contentType.flatMap { RowPolicy.Format.name(ofMediaType: $0) }
        let rows = format.map { " 'rows: \($0)' reads such a text." } ?? ""
        let wrong =
            !extractor.failureIsSyntax
            ? "has drifted from its type"
            : extractor.isEmpty ? "has an empty body in the place of JSON" : "is not valid JSON\(other)"
        // A document that exceeds a limit may still be as declared: that is no drift.
        var problem =
            if let limit = extractor.exceededLimit {
                Problem(
                    .upstreamTooLarge,
                    detail: "The JSON of '\(upstream)' is beyond a limit; 'limits.\(limit)' says how much is taken.")
            } else {
                Problem(.typeMismatch, detail: "The answer of '\(upstream)' \(wrong).\(rows)")
            }
        problem.faults = slice.map { extractor.faults(of: $0) } ?? extractor.faults
        problem.upstream = upstream
        return problem
    }

    /// Why no rows can be read from an answer; nil where they can.
    static func rowsFault(_ response: borrowing ResponseHead, _ route: Route, upstream: String) -> Problem? {
        guard route.readsEvents, response.status < 400, !EventStream.hasEvents(response) else { return nil }
        var problem = Problem(
            .typeMismatch, detail: "The answer of '\(upstream)' is no event stream (text/event-stream).")
        problem.upstream = upstream
        return problem
    }

    static func missingValue(_ route: Route, upstream: String) -> Problem {
        let path = route.binding.valuePath.fromRoot
        var problem = Problem(.missingValue, detail: "The answer of '\(upstream)' has no value at '\(path)'.")
        problem.faults = [
            Problem.Fault(
                name: path, location: "response", expected: route.binding.value.map(\.description) ?? "a value",
                found: "nothing")
        ]
        return problem
    }

    /// The problem of an answer that should have brought a token and has none: the client sees nothing else of it, so
    /// it counts as failed.
    /// - Parameter isUnusable: whether something else is in its place.
    static func missingToken(at keep: FieldPath, upstream: String, isUnusable: Bool) -> Problem {
        let path = keep.fromRoot
        let what = isUnusable ? "no usable token" : "no token"
        var problem = Problem(.missingValue, detail: "The answer of '\(upstream)' has \(what) at '\(path)'.")
        problem.faults = [
            Problem.Fault(
                name: path, location: "response", expected: "a token",
                found: isUnusable ? "what no field can hold" : "none",
                hint: isUnusable
                    ? "a token is text of up to 16 KiB, in visible ASCII and without blanks"
                    : "say where it is in 'keep:', or leave 'keep:' out where the answer has none")
        ]
        return problem
    }

    /// The problem of an upstream's error: its status and retry hints are kept, its message and code are read from the
    /// body.
    /// - Parameters:
    ///   - body: the first bytes of the body.
    ///   - now: seconds since 1970.
    static func upstreamProblem(
        _ response: borrowing ResponseHead, _ body: UnsafeRawBufferPointer, _ route: Route, _ name: String, now: Int
    ) -> Problem {
        let status = response.status
        var problem = Problem(.upstreamError, status: status, detail: "'\(name)' answered with status \(status).")
        let paths = route.errors.paths(for: status)
        if let message = paths.message.flatMap({ ErrorBody.text($0, in: body, response.fields) }), !message.isEmpty {
            problem.detail = cut(message, to: 1000)
        }
        problem.upstreamCode = paths.code.flatMap { ErrorBody.text($0, in: body, response.fields) }.map {
            cut($0, to: 200)
        }
        if let own = paths.status { problem.status = own }
        problem.retryAfterSeconds = QuotaFields.retryAfter(response.fields, now: now)
        // A 403 that says when to come back is a quota (`QuotaFields`).
        problem.isRetryable =
            [408, 429, 502, 503, 504].contains(status) || status == 403 && problem.retryAfterSeconds != nil
        for index in 0..<response.fields.count {
            let field = response.fields[index].id
            guard isTold(field, with: status) else { continue }
            problem.fields.append(
                HeaderSetting(
                    name: field.canonicalName.description,
                    value: String(decoding: response.fields.value(index), as: UTF8.self)))
            if field == .upgrade { problem.fields.append(HeaderSetting(name: "Connection", value: "Upgrade")) }
        }
        return problem
    }

    /// Fields that an error of this status is incomplete without (RFC 9110 §11.6.1, §15.5.6, §15.5.16, §15.5.17,
    /// §15.5.22).
    private static func isTold(_ field: FieldID, with status: Int) -> Bool {
        switch field {
        case .wwwAuthenticate: true
        case .allow: status == 405
        case .accept, .acceptEncoding: status == 415
        case .contentRange: status == 416
        case .upgrade: status == 426
        default: false
        }
    }

    static func cut(_ text: String, to count: Int) -> String {
        text.count > count ? text.prefix(count) + "…" : text
    }
}
