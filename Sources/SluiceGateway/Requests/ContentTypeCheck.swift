internal import SluiceContract
internal import SluiceHTTP

/// Checks whether a request's body has the declared media type.
enum ContentTypeCheck {
    /// For a body that is read here: it has to be present, and complete.
    static func problem(
        in head: inout RequestHead, mediaType: String, hasBody: Bool, isRewritten: Bool
    ) -> Problem? {
        guard hasBody else { return Problem(.badBody, detail: "A body of type \(mediaType) is missing.") }
        // A partial body is refused, because its meaning is not known (RFC 9110 §14.5).
        guard head.fields.firstIndex(of: .contentRange) == nil else {
            return Problem(
                .badBody, detail: "A part of a body (Content-Range) cannot be checked; send the whole of it.")
        }
        return problem(in: &head, mediaType: mediaType, charset: nil, isRewritten: isRewritten)
    }

    /// - Parameters:
    ///   - charset: the charset that a text has to be in.
    ///   - isRewritten: whether the body is parsed and written anew.
    static func problem(
        in head: inout RequestHead, mediaType: String, charset: String?, isRewritten: Bool
    ) -> Problem? {
        guard let index = head.fields.firstIndex(of: .contentType) else {
            // Without a Content-Type a recipient may look at the data (RFC 9110 §8.3); the check of the body does. The
            // upstream gets the declared type, except multipart/form-data, whose boundary is not known.
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
            // What curl says of a body, where it is not told.
            let advice = ContentType(value)?.isForm == true ? "; with curl, add -H 'Content-Type: \(mediaType)'" : ""
            return Problem(
                .unsupportedMediaType, detail: "The body has to be \(mediaType); this one is '\(found)'\(advice).")
        }
        if let charset {
            let isRight = contentType.charset?.equalsIgnoringCase(Array(charset.utf8)) == true
            if isRight, !contentType.isAmbiguous { return nil }
            return Problem(
                .unsupportedMediaType,
                detail: "The text has to be in charset \(charset); send Content-Type: \(mediaType); charset=\(charset)."
            )
        }
        // JSON is UTF-8 (RFC 8259 §8.1), and so are form fields: a program that reads the body in another charset reads
        // something else than what is checked here.
        if isRewritten, !contentType.isUTF8 {
            return Problem(.unsupportedMediaType, detail: "The body has to be UTF-8; this one is '\(found)'.")
        }
        return nil
    }
}
