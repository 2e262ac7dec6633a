/// How the requests of a credential are signed: what a ``CredentialKind`` says whose secret is never sent.
public protocol RequestSignature: Hashable, Sendable {
    /// The fields that a signature is sent in. What a client sends under these names is dropped.
    var fieldNames: [String] { get }
    /// Fields that a signature would make effective although the configuration does not set them: dropped if a client
    /// sends them.
    var droppedFieldNames: [String] { get }
    /// Whether it covers the body, which has to be there as a whole then, before the head goes out.
    var coversBody: Bool { get }
    /// Whether it needs TLS, because the parts that it does not cover could be changed on the way.
    var needsTLS: Bool { get }
    /// A nonce that servers hand out, and signatures have to hold.
    var serverNonce: ServerNonce? { get }

    /// - Parameter secrets: what the credential's ``CredentialSource`` has, in its order.
    /// - Throws: why nothing can be signed with them; without a byte of them.
    func signer(with secrets: [[UInt8]]) throws(SignatureFault) -> any RequestSigner
}

extension RequestSignature {
    public var droppedFieldNames: [String] { [] }
    public var coversBody: Bool { true }
    public var needsTLS: Bool { false }
    public var serverNonce: ServerNonce? { nil }
}

/// Signs requests, on one event loop: it may keep what it derives from its secrets.
public protocol RequestSigner: Sendable {
    /// The fields that sign a request, as lines of HTTP/1.1 with their ends.
    mutating func lines(for request: RequestToSign, _ occasion: SigningOccasion) -> [UInt8]
}

/// A nonce in a field of answers (RFC 9449 §8).
public struct ServerNonce: Hashable, Sendable {
    /// The field that hands it out.
    public var field: String
    /// The word in `WWW-Authenticate` that asks for it, with status 401.
    public var demand: String

    public init(field: String, demand: String) {
        self.field = field
        self.demand = demand
    }
}

/// Why a credential cannot sign; in words that may be shown.
public struct SignatureFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// A ``RequestSignature`` of any type.
public struct AnyRequestSignature: Hashable, Sendable {
    public var signature: any RequestSignature

    public init(_ signature: any RequestSignature) {
        self.signature = signature
    }

    public static func == (one: AnyRequestSignature, other: AnyRequestSignature) -> Bool {
        AnyHashable(one.signature) == AnyHashable(other.signature)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(signature)) }
}
