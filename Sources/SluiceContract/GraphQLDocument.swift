/// What an API of GraphQL is asked, and how its server is told.
public enum GraphQLDocument: Hashable, Sendable {
    /// This text.
    case query(String)
    /// The digest of this text, and the text only where the server does not know it yet (automatic persisted queries).
    case persisted(String)
    /// A text that the server has, by its identifier: a member of the request (persisted documents).
    case registered(id: String, member: String)

    /// The text; nil where only the server has it.
    public var text: String? {
        switch self {
        case .query(let text), .persisted(let text): text
        case .registered: nil
        }
    }

    /// The member that GraphQL over HTTP has for identifiers (appendix A).
    public static let usualMember = "documentId"
    /// Not a member, but the extension in which automatic persisted queries have their digest.
    public static let extensionMember = "persistedQuery"
    /// Bytes of an identifier.
    public static let idBytesMax = 1024
}
