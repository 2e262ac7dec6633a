/// What of a client an upstream may be told, by the parameters of RFC 7239 §4.
public struct ForwardedParameters: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The client's address.
    public static let `for` = ForwardedParameters(rawValue: 1)
    /// The host that the client asked, be it in `Host` itself.
    public static let host = ForwardedParameters(rawValue: 2)
    public static let proto = ForwardedParameters(rawValue: 4)
    public static let all: ForwardedParameters = [.for, .host, .proto]
}

/// What an upstream is told of the clients of a binding.
///
/// An answer may be made for what its upstream was told. So the same rule says what goes upstream and what is part of
/// the key of a stored answer (RFC 9111 §2). A client's address would make each answer good for one client alone: where
/// answers are stored it is told only if the binding keeps the clients' answers apart anyway.
public struct ForwardedRule: Hashable, Sendable {
    /// What the gateway says.
    public private(set) var told: ForwardedParameters
    /// What fields of the client's own may say.
    public private(set) var passed: ForwardedParameters

    /// Where nothing is stored.
    public init(_ upstream: Upstream) {
        told = upstream.host == .client ? .host : []
        passed = []
        switch upstream.forwarded {
        case .none: break
        case .pass: passed = .all
        case .xForwarded, .rfc7239, .both: told = .all
        }
    }

    /// Where an answer is made of those of several upstreams.
    public func union(_ other: ForwardedRule) -> ForwardedRule {
        var rule = self
        rule.told.formUnion(other.told)
        rule.passed.formUnion(other.passed)
        return rule
    }

    /// What both rules tell.
    public func intersection(_ other: ForwardedRule) -> ForwardedRule {
        var rule = self
        rule.told.formIntersection(other.told)
        rule.passed.formIntersection(other.passed)
        return rule
    }

    /// Where answers may be stored.
    /// - Parameter isNamed: whether the client is known by its name (`clients:`), which may have many addresses.
    public func storing(_ policy: CachePolicy, isNamed: Bool = false) -> ForwardedRule {
        if policy.variesOnAddress || policy.isPrivate && !isNamed { return self }
        var rule = self
        rule.told.remove(.for)
        rule.passed.remove(.for)
        return rule
    }
}
