/// One answer while a response type is read from it.
struct AnswerReading: Sendable {
    let answer: WholeAnswer
    let coding: JSONCoding

    /// Reads a response: by its wrapped properties, or the body as the type itself where it has none.
    ///
    /// An answer of 400 and above is thrown, unless the type has a place for the body of such an error.
    func response<Response: Decodable>(_ type: Response.Type) throws(CallError) -> Response {
        let decoder = AnswerDecoder(self)
        do {
            let response = try Response(from: decoder)
            if decoder.places.isBody { throw PropertyWithoutWrapper(path: []) }
            guard answer.status < 400 || decoder.places.hasErrorBody else { throw GatewayClient.failure(in: answer) }
            return response
        } catch let plain as PropertyWithoutWrapper {
            guard answer.isSuccess else { throw GatewayClient.failure(in: answer) }
            if decoder.places.hasParts { throw .decode(fault(of: plain, in: Response.self)) }
            if let plain = plainBesideParts(in: Response.self) { throw .decode(fault(of: plain, in: Response.self)) }
            return try body(Response.self)
        } catch let error as CallError {
            // The status comes first: of an error the type may have no place for all that is there, or is not.
            guard answer.status < 400 else { throw GatewayClient.failure(in: answer) }
            throw error
        } catch {
            guard answer.status < 400 else { throw GatewayClient.failure(in: answer) }
            if decoder.places.isBody, answer.isSuccess { return try body(Response.self) }
            throw .decode(DecodeFault(error, body: answer.body))
        }
    }

    /// A property that may be nil and has no wrapper, where others behind it have one.
    private func plainBesideParts<Response: Decodable>(in type: Response.Type) -> PropertyWithoutWrapper? {
        let decoder = AnswerDecoder(self, takesNil: true)
        // What comes of it counts for nothing: the type may make of nil what it will.
        _ = try? Response(from: decoder)
        guard decoder.places.hasParts, let plain = decoder.places.plain else { return nil }
        return PropertyWithoutWrapper(path: plain)
    }

    /// The body as a type: a text or bytes as they are, a form where the type or the content says so, else JSON.
    func body<Body: Decodable>(_ type: Body.Type) throws(CallError) -> Body {
        if Body.self == String.self, let text = try text() as? Body { return text }
        if Body.self == [UInt8].self, let bytes = answer.body as? Body { return bytes }
        if Body.self == GatewayProblem.self, let problem = GatewayProblem(answer) as? Body { return problem }
        let isForm = answer.mediaType == "application/x-www-form-urlencoded"
        if Body.self is any FormURLEncodedDecodable.Type || (isForm && !(Body.self is any JSONDecodable.Type)) {
            return try form(Body.self)
        }
        if answer.body.isEmpty { return try none(Body.self) }
        return try coding.decode(Body.self, from: answer.body)
    }

    /// What an answer without content is as a type (RFC 9110 §15.3.5): nil, where the type can be that.
    private func none<Body>(_ type: Body.Type) throws(CallError) -> Body {
        if let optional = Body.self as? any ExpressibleByNilLiteral.Type,
            let none = optional.init(nilLiteral: ()) as? Body
        {
            return none
        }
        if let empty = EmptyResponse() as? Body { return empty }
        throw .decode(DecodeFault(.absent, path: "$", detail: "the answer has no content", body: []))
    }

    /// The body as a text, by the charset it says it has; UTF-8 where it says none.
    private func text() throws(CallError) -> String {
        let charset = answer.charset ?? "utf-8"
        guard let encoding = TextEncoding(charset: charset) else {
            throw .decode(fault("the charset '\(charset)' is not known"))
        }
        guard let text = encoding.text(of: answer.body) else { throw .decode(fault("no text in \(charset)")) }
        return text
    }

    private func form<Body: Decodable>(_ type: Body.Type) throws(CallError) -> Body {
        let items = QueryItems(text: String(decoding: answer.body, as: UTF8.self))
        do {
            return try Body(from: FormDecoder(items, keys: coding.keys))
        } catch {
            throw .decode(DecodeFault(error, body: answer.body))
        }
    }

    /// Beside wrapped properties a plain one says nothing of where it is to be read from.
    private func fault<Response>(of plain: PropertyWithoutWrapper, in type: Response.Type) -> DecodeFault {
        DecodeFault(
            .mismatched, path: DecodeFault.text(of: plain.path),
            detail: "this property of \(type) has no wrapper, and others have one: give it one, such as @ResponseBody",
            body: answer.body)
    }

    private func fault(_ detail: String) -> DecodeFault {
        DecodeFault(.broken, path: "$", detail: detail, body: answer.body)
    }
}
