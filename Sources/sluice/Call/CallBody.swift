internal import SluiceContract
internal import SluiceFiles
internal import SluiceJSON
internal import Glibc

/// The body of a call and its content type.
struct CallBody {
    var bytes: [UInt8]
    var contentType: String?

    /// `--body`: text, `@file`, or `@-` for standard input.
    init(_ argument: String, for binding: Binding) throws(CallArguments.Fault) {
        if argument.hasPrefix("@") {
            bytes = try Self.contents(String(argument.dropFirst()))
        } else {
            bytes = Array(argument.utf8)
        }
        switch binding.body {
        case .json: contentType = "application/json"
        case .form: contentType = "application/x-www-form-urlencoded"
        case .text(let charset): contentType = "text/plain; charset=\(charset ?? "utf-8")"
        case .raw(let mediaType): contentType = mediaType ?? "application/octet-stream"
        case .passThrough where bytes.withUnsafeBytes({ JSONCheck.isValid($0) }): contentType = "application/json"
        case .passThrough: contentType = "application/octet-stream"
        // Only the author of the body knows its boundary.
        case .multipart, .none: contentType = nil
        }
    }

    /// Made of `name=value` pairs; nil where no pair belongs to the body.
    init?(_ arguments: CallArguments, for binding: Binding, types: [TypeDefinition]) {
        guard !arguments.members.isEmpty else { return nil }
        if case .form = binding.body {
            let pairs = arguments.members.flatMap { member in
                member.values.map { "\(Encoded.query(member.name))=\(Encoded.query($0))" }
            }
            bytes = Array(pairs.joined(separator: "&").utf8)
            contentType = "application/x-www-form-urlencoded"
        } else {
            let members = arguments.members.map { member in
                (member.name, Self.json(member.values, arguments.type(of: member.name), types))
            }
            bytes = Array(JSONValue.object(members).text.utf8)
            contentType = "application/json"
        }
    }

    private static func contents(_ path: String) throws(CallArguments.Fault) -> [UInt8] {
        do throws(FileReader.Failure) {
            return try path == "-" ? FileReader.rest(of: STDIN_FILENO) : FileReader.contents(of: path, mayWait: true)
        } catch {
            throw CallArguments.Fault(description: "\(path) cannot be read: \(error)")
        }
    }

    // MARK: - Text as typed JSON

    /// Several values, or one for a list that is not JSON already, make an array.
    private static func json(_ values: [String], _ type: TypeExpression, _ types: [TypeDefinition]) -> JSONValue {
        guard case .array(let element) = type.resolved(types) else {
            return values.count == 1
                ? json(values[0], type, types) : .array(values.map { json($0, type, types) })
        }
        if values.count == 1, values[0].hasPrefix("["), JSONCheck.isValid(values[0]) { return .verbatim(values[0]) }
        return .array(values.map { json($0, element, types) })
    }

    /// A value that does not fit the type is sent as a string: the gateway reports what is wrong with it.
    private static func json(_ text: String, _ type: TypeExpression, _ types: [TypeDefinition]) -> JSONValue {
        if text == "null", type.takesNull(types) { return .null }
        return type.wantsText(text, types) || !JSONCheck.isValid(text) ? .string(text) : .verbatim(text)
    }
}

extension TypeExpression {
    fileprivate func takesNull(_ types: [TypeDefinition]) -> Bool {
        if case .optional = self { return true }
        if case .union(let members) = resolved(types) { return members.contains(.null) }
        return false
    }

    /// Whether `text` has to become a JSON string.
    fileprivate func wantsText(_ text: String, _ types: [TypeDefinition]) -> Bool {
        switch resolved(types) {
        case .scalar(let scalar):
            switch scalar {
            case .string, .uuid, .url, .data, .date(.iso8601), .date(.local), .quoted: true
            case .bool, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double,
                .decimal, .date(.seconds), .date(.milliseconds), .json:
                false
            }
        case .literals, .open: true
        case .converted(_, let to): TypeExpression.scalar(to).wantsText(text, types)
        case .constrained(let inner, _): inner.wantsText(text, types)
        case .union(let members): members.allSatisfy { $0 == .null || $0.wantsText(text, types) }
        case .constant, .array, .dictionary, .object, .choice, .named, .optional, .null: false
        }
    }
}
