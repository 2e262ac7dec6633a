/// A declared parameter of a binding.
public struct Parameter: Hashable, Sendable {
    /// The name that local clients use.
    public var name: String
    /// Where it stands in the client's request and, unless the upstream's template says otherwise, upstream.
    public var location: Location
    /// Scalar, closed set, union of those, list of those, optional; any type in a JSON body.
    public var type: TypeExpression
    /// JSON text used where the client leaves the parameter out.
    public var defaultJSON: String?
    /// JSON text of an example value, for trying the binding.
    public var exampleJSON: String?
    /// Whether that is its value in any case, which no client can set (`fixed:`).
    public var isFixed: Bool
    /// The variable or file that holds its only value (`fixed: {env: …}`).
    public var source: TokenSource?
    /// The upstream's name where it differs (`as:`).
    public var upstreamName: String?
    /// How a list is written in a query, header or cookie.
    public var style: ListStyle
    /// What an absent optional becomes.
    public var null: NullStyle

    public init(
        name: String, location: Location, type: TypeExpression, defaultJSON: String? = nil, isFixed: Bool = false,
        source: TokenSource? = nil, upstreamName: String? = nil, style: ListStyle = .repeated, null: NullStyle = .omit
    ) {
        self.name = name
        self.location = location
        self.type = type
        self.defaultJSON = defaultJSON
        self.isFixed = isFixed
        self.source = source
        self.upstreamName = upstreamName
        self.style = style
        self.null = null
    }

    /// Whether its value may be a credential, which is not shown.
    public var isSensitive: Bool {
        source != nil || SensitiveName.matches(name) || upstreamName.map { SensitiveName.matches($0) } ?? false
    }

    /// Whether it is a member of the client's body that the configuration adds.
    public var isBodyMember: Bool { isFixed && location == .body }

    public enum Location: String, Hashable, Sendable, CaseIterable {
        case path, query, header, cookie, body
    }

    /// `colors=red&colors=green`, `colors=red,green` or `colors[]=red&colors[]=green`.
    public enum ListStyle: String, Hashable, Sendable, CaseIterable {
        case repeated = "repeat"
        case comma, brackets
    }

    /// Absent: left out; `empty`: `name=`; `literal`: `name=null`.
    public enum NullStyle: String, Hashable, Sendable, CaseIterable {
        case omit, empty, literal
    }
}
