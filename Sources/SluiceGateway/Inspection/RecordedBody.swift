internal import SluiceContract
internal import SluiceHTTP

/// How requests and answers are recorded and compared: without values that may be secrets, and without what is left out
/// by name.
struct RecordedBody {
    /// Stands for what is left out.
    static let redacted = "***"

    let leftOut: Set<String>
    let kept: SensitiveMembers.Kept
    /// The boundary of a multipart body. An answer keeps its own.
    var boundary = MultipartBody.Boundary.own

    /// For requests.
    static func ofRequest(_ names: RecordingNames) -> RecordedBody {
        RecordedBody(leftOut: names.leftOut, kept: .only(names.compared), boundary: .fixed)
    }

    /// For answers. There, `code` usually tells errors apart; an authorization code comes in a query (RFC 6749 §4.1.2).
    static func ofAnswer(_ names: RecordingNames) -> RecordedBody {
        RecordedBody(leftOut: names.leftOut, kept: .only(names.kept.union(["code"])))
    }

    // MARK: - Targets

    /// - Parameter target: has marker bytes for secrets, which occur in no other target.
    func masked(target: UnsafeRawBufferPointer) -> String {
        let target = text(target)
        guard !leftOut.isEmpty, let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return target }
        let query = Array(target.utf8[target.utf8.index(after: mark)...])
        let rest = SensitiveMembers.masked(form: query, also: leftOut, except: .all)
        return target[...mark] + String(decoding: rest, as: UTF8.self)
    }

    private func text(_ target: UnsafeRawBufferPointer) -> String {
        switch kept {
        case .only(let names): QueryMask.text(target, except: names)
        case .all: String(decoding: target, as: UTF8.self)
        }
    }

    // MARK: - Bodies

    /// Masks a body; equal bodies have equal results.
    /// - Parameter type: the media type, if known. It is needed to recognise a form with blanks in it.
    func masked(_ body: [UInt8], type: String?) -> [UInt8] {
        if let parts = MultipartBody(body, type: type) {
            return parts.masked(.recorded, also: leftOut, except: kept, boundary: boundary)
        }
        let start = Self.start(of: body)
        if start < body.count, body[start] != UInt8(ascii: "{"), body[start] != UInt8(ascii: "["),
            Self.isForm(type) || Self.looksLikeForm(body[start...])
        {
            let form = SensitiveMembers.masked(form: Array(body[start...]), also: leftOut, except: kept)
            return body[..<start] + form
        }
        return SensitiveMembers.masked(json: body, .recorded, also: leftOut, except: kept)
    }

    /// The fields of a request, with the Content-Type that fits its body as recorded.
    static func fields(_ fields: [HeaderSetting], with body: [UInt8]) -> [HeaderSetting] {
        fields.map { field in
            guard field.name.lowercased() == "content-type", let parts = MultipartBody(body, type: field.value) else {
                return field
            }
            return HeaderSetting(name: field.name, value: parts.typeWithFixedBoundary(field.value))
        }
    }

    /// The first byte after a byte order mark and blanks.
    private static func start(of body: [UInt8]) -> Int {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = body.starts(with: mark) ? mark.count : 0
        return body[start...].firstIndex { $0 > 0x20 } ?? body.count
    }

    private static func isForm(_ type: String?) -> Bool {
        type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
    }

    /// Whether the body is one line of pairs: some programs send forms with another type, or none.
    private static func looksLikeForm(_ body: ArraySlice<UInt8>) -> Bool {
        let end = body.lastIndex { $0 > 0x20 } ?? body.startIndex
        return body.contains(UInt8(ascii: "=")) && body[...end].allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// - Returns: nil where a secret could not be removed.
    func masked(_ body: [UInt8], type: String?, _ mask: CredentialMask) -> [UInt8]? {
        let bytes = masked(body, type: type)
        if mask.isEmpty { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        let masked = mask.applied(to: text)
        if masked == text { return bytes }
        return String(validating: bytes, as: UTF8.self) == nil ? nil : Array(masked.utf8)
    }
}
