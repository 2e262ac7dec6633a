/// A reference that does not keep its object alive, for the request path.
///
/// Reading a counted reference out of a `var` costs a retain and a release, which are atomic: some 80 pairs of them
/// per request were a tenth of what Sluice itself spent on one. Where another owner is known to keep the object alive,
/// the request path borrows it. That owner is named at each property of this type. Objects that the request path has
/// finished with are not destroyed at once: used exchanges, fetches and transports are released between two turns of
/// the loop, so that no object disappears during a call on it.
public struct Borrowed<Object: AnyObject> {
    @usableFromInline
    let reference: Unmanaged<Object>

    @inlinable @inline(__always)
    public init(_ object: Object) {
        reference = .passUnretained(object)
    }

    /// Keeps the object alive until ``giveUp()``; the caller of both is responsible for the count.
    @inlinable @inline(__always)
    public init(keeping object: consuming Object) {
        reference = .passRetained(object)
    }

    /// Ends the ownership that ``init(keeping:)`` began.
    @inlinable @inline(__always)
    public func giveUp() -> Object { reference.takeRetainedValue() }

    /// Passes the object to `body`, without counting a reference.
    @inlinable @inline(__always)
    public func callAsFunction<Result>(_ body: (Object) -> Result) -> Result {
        reference._withUnsafeGuaranteedRef(body)
    }

    /// A counted reference, for paths that are not hot.
    @inlinable @inline(__always)
    public var object: Object { reference.takeUnretainedValue() }
}

extension Optional where Wrapped: AnyObject {
    /// Borrows the object from this property, which has to keep it alive during the call, or hand it to another owner.
    @inlinable @inline(__always)
    public var borrowed: Borrowed<Wrapped>? { map { Borrowed($0) } }
}
