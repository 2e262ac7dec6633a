/// Where in a request a ``RequestParameter`` goes: ``InQuery``, ``InHeader`` or ``InPath``.
public protocol ParameterPlace {
    /// Where parameters of the place go.
    static var location: ParameterLocation { get }
}

/// Where in a request a parameter goes.
public enum ParameterLocation: Sendable {
    case query, header, path
}

/// The place of a ``QueryItem``.
public enum InQuery: ParameterPlace {
    public static var location: ParameterLocation { .query }
}

/// The place of a ``RequestHeader``.
public enum InHeader: ParameterPlace {
    public static var location: ParameterLocation { .header }
}

/// The place of a ``RequestPathParameter``.
public enum InPath: ParameterPlace {
    public static var location: ParameterLocation { .path }
}
