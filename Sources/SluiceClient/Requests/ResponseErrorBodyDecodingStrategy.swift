/// Of which errors a property holds the body.
public protocol ResponseErrorBodyDecodingStrategy: ResponseBodyDecodingStrategy {
    /// Whether the body of an error of this status is meant.
    static func isError(statusCode: Int) -> Bool
}

extension ResponseErrorBodyDecodingStrategy {
    public static func validate(statusCode: Int) -> Bool { isError(statusCode: statusCode) }
    public static func allowsEmptyContent(for statusCode: Int) -> Bool { true }
}

/// Every status from 400 up.
public enum DefaultErrorBodyStrategy: ResponseErrorBodyDecodingStrategy {
    public static func isError(statusCode: Int) -> Bool { statusCode >= 400 }
}

/// Errors with status 400.
public enum ValidateStatus400ErrorBodyStrategy: ResponseErrorBodyDecodingStrategy {
    public static func isError(statusCode: Int) -> Bool { statusCode == 400 }
}

/// Errors with status 401.
public enum ValidateStatus401ErrorBodyStrategy: ResponseErrorBodyDecodingStrategy {
    public static func isError(statusCode: Int) -> Bool { statusCode == 401 }
}

/// Errors with status 403.
public enum ValidateStatus403ErrorBodyStrategy: ResponseErrorBodyDecodingStrategy {
    public static func isError(statusCode: Int) -> Bool { statusCode == 403 }
}

/// Errors with status 404.
public enum ValidateStatus404ErrorBodyStrategy: ResponseErrorBodyDecodingStrategy {
    public static func isError(statusCode: Int) -> Bool { statusCode == 404 }
}

/// Errors with status 410.
public enum ValidateStatus410ErrorBodyStrategy: ResponseErrorBodyDecodingStrategy {
    public static func isError(statusCode: Int) -> Bool { statusCode == 410 }
}

/// Errors with status 422.
public enum ValidateStatus422ErrorBodyStrategy: ResponseErrorBodyDecodingStrategy {
    public static func isError(statusCode: Int) -> Bool { statusCode == 422 }
}
