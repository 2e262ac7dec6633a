/// One of an ordered list of rules by which a view decides what it shows: the first that fits is taken.
public enum DisplayRule: String, Hashable, Sendable, CaseIterable {
    /// The data, if anything has any.
    case anyData
    /// The data, if everything has some.
    case allData
    /// The data, there or not.
    case alwaysData
    /// The loading, if anything is loading.
    case loading
    /// The error, if anything has failed.
    case error
}

extension [DisplayRule] {
    /// What is going on comes first, then errors, then data.
    public static let standard: [DisplayRule] = [.loading, .error, .allData]
    /// Data once it is all there, however old; else what is going on.
    public static let keepData: [DisplayRule] = [.allData, .loading, .error]
    /// Whatever data there is; else what is going on.
    public static let anyDataFirst: [DisplayRule] = [.anyData, .loading, .error]
    /// Data or errors, and no sign of loading.
    public static let quiet: [DisplayRule] = [.allData, .error]
    /// An error hides data that is old; loading does not.
    public static let strict: [DisplayRule] = [.error, .allData, .loading]
}
