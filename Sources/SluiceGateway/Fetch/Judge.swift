internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// What is done with an upstream's answer.
enum Treatment {
    /// Passed through as it is.
    case untouched
    /// The wanted value is cut out and checked.
    case extract
    /// An error: its message and code are read, and it comes out as a problem.
    case mapError
    /// Read to its end; the client gets back what it sent (`answer: echo`).
    case echo
    /// A redirect to the same origin that is followed here.
    case follow
    /// Read to its end while the next attempt waits for its time.
    case again
}

/// Looks at the status first, then at the shape.
enum Judge {
    static func treatment(of response: borrowing ResponseHead, for fetch: Fetch, _ route: Route) -> Treatment {
        if route.binding.answer == .echo, (200..<300).contains(response.status) { return .echo }
        if route.cuts(status: response.status) { return .extract }
        switch response.status {
        case 400...: return route.mapsErrors ? .mapError : .untouched
        case 301, 302, 303, 307, 308: return Redirect.isFollowed(response, for: fetch, route) ? .follow : .untouched
        default: return .untouched
        }
    }

    /// Whether an answer is a part of what was asked for, though a part was not asked for (RFC 9110 §15.3.7): ranges
    /// are the client's affair with a binding that passes its answers through. Nobody can cut a value out of some bytes
    /// of a document. Ranges of another unit are another matter: some APIs say 206 for a page of a list, which is a
    /// document.
    static func isUnaskedPart(_ response: borrowing ResponseHead, _ route: Route) -> Bool {
        guard response.status == 206, route.isTyped else { return false }
        guard let index = response.fields.firstIndex(of: .contentRange) else { return true }
        return UnsafeRawBufferPointer(rebasing: response.fields.value(index).prefix(5)).equalsIgnoringCase("bytes")
    }

    /// - Parameters:
    ///   - slice: nil where all values of the document are one binding's.
    ///   - contentType: as the answer says it, told where it explains why the answer is no JSON: a page of HTML is
    ///     mostly a wrong URL or a sign-in.
    static func typeFailure(
        _ extractor: Extractor, upstream: String, slice: Int? = nil, contentType: String? = nil
    ) -> Problem {
        let other = contentType.flatMap { $0.lowercased().contains("json") ? nil : " but '\($0)'" } ?? ""
        let wrong =
            !extractor.failureIsSyntax
            ? "has drifted from its type"
            : extractor.isEmpty ? "has an empty body in the place of JSON" : "is not valid JSON\(other)"
        var problem = Problem(.typeMismatch, detail: "The answer of '\(upstream)' \(wrong).")
        problem.faults = slice.map { extractor.faults(of: $0) } ?? extractor.faults
        problem.upstream = upstream
        return problem
    }

    static func missingValue(_ route: Route, upstream: String) -> Problem {
        let path = (route.binding.parent ?? FieldPath(components: [])).fromRoot
        var problem = Problem(.missingValue, detail: "The answer of '\(upstream)' has no value at '\(path)'.")
        problem.faults = [
            Problem.Fault(
                name: path, location: "response", expected: route.binding.value.map(\.description) ?? "a value",
                found: "nothing")
        ]
        return problem
    }

    /// An upstream's own error: its status and retry hints are kept, its message and code are read.
    static func upstreamProblem(_ fetch: Fetch, _ route: Route) -> Problem {
        let status = fetch.response.status
        let name = fetch.upstreamName
        var problem = Problem(.upstreamError, status: status, detail: "'\(name)' answered with status \(status).")
        let paths = route.errorPathsByStatus[status] ?? route.errorPaths
        let body = fetch.answer.collected.bytes
        if let path = paths.message, let message = JSONPick.text(at: path, in: body), !message.isEmpty {
            problem.detail = cut(message, to: 1000)
        }
        if let path = paths.code {
            problem.upstreamCode = JSONPick.text(at: path, in: body).map { cut($0, to: 200) }
        }
        problem.retryAfterSeconds = QuotaFields.retryAfter(fetch.response.fields, now: fetch.loop.unixSeconds)
        // A 403 that says when to come back is a quota (`QuotaFields`).
        problem.isRetryable =
            [408, 429, 502, 503, 504].contains(status) || status == 403 && problem.retryAfterSeconds != nil
        for index in 0..<fetch.response.fields.count {
            let field = fetch.response.fields[index].id
            guard isTold(field, with: status) else { continue }
            problem.fields.append(
                HeaderSetting(
                    name: field.canonicalName.description,
                    value: String(decoding: fetch.response.fields.value(index), as: UTF8.self)))
            if field == .upgrade { problem.fields.append(HeaderSetting(name: "Connection", value: "Upgrade")) }
        }
        return problem
    }

    /// Fields without which an error says only half of what it has to say (RFC 9110 §11.6.1, §15.5.6, §15.5.16,
    /// §15.5.17, §15.5.22).
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

    private static func cut(_ text: String, to count: Int) -> String {
        text.count > count ? text.prefix(count) + "…" : text
    }
}
