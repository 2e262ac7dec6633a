/// Of which answers a property holds the body.
public protocol ResponseBodyDecodingStrategy: Sendable {
    /// Whether the body of an answer of this status is meant.
    static func validate(statusCode: Int) -> Bool
    /// Whether there may be none; the property is nil then.
    static func allowsEmptyContent(for statusCode: Int) -> Bool
}

extension ResponseBodyDecodingStrategy {
    /// Statuses without content, and redirections (RFC 9110 §15.3.5, §15.3.6, §15.4).
    public static func allowsEmptyContent(for statusCode: Int) -> Bool {
        statusCode == 204 || statusCode == 205 || (300..<400).contains(statusCode)
    }
}

/// Successes and redirections.
public enum DefaultBodyStrategy: ResponseBodyDecodingStrategy {
    public static func validate(statusCode: Int) -> Bool { (200..<400).contains(statusCode) }
}

/// Successes and redirections, with or without content.
public enum OptionalContentStrategy: ResponseBodyDecodingStrategy {
    public static func validate(statusCode: Int) -> Bool { (200..<400).contains(statusCode) }
    public static func allowsEmptyContent(for statusCode: Int) -> Bool { true }
}

/// Answers with status 200.
public enum ValidateStatus200BodyStrategy: ResponseBodyDecodingStrategy {
    public static func validate(statusCode: Int) -> Bool { statusCode == 200 }
}

/// Answers with status 201.
public enum ValidateStatus201BodyStrategy: ResponseBodyDecodingStrategy {
    public static func validate(statusCode: Int) -> Bool { statusCode == 201 }
}

/// Answers with status 303.
public enum ValidateStatus303BodyStrategy: ResponseBodyDecodingStrategy {
    public static func validate(statusCode: Int) -> Bool { statusCode == 303 }
}
