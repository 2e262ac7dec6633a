/// What a value is wrapped in on the wire: an answer is decoded as the parent and the value read from it, a value that
/// is sent is wrapped first.
public protocol ParentCodable: Codable, Sendable {
    /// What a property holds, within the parent.
    associatedtype ChildCodable: Codable

    /// The parent that has a value in its place, for sending.
    static func wrap(child: ChildCodable) -> Self
}
