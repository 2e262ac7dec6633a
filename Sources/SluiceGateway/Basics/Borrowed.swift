/// A reference that does not keep its object alive, for the request path.
///
/// Reading a counted reference out of a `var` costs a retain and a release, which are atomic: some 80 pairs of them
/// per request were a tenth of what Sluice itself spent on one. Where another owner is known to keep the object, the
/// request path borrows it. Who that is, is written beside each property of this type; and what the request path gives
/// up it does not destroy at once: exchanges, fetches and transports that have served go between two turns of the
/// loop, so that the ground does not vanish under a call that is still running.
public struct Borrowed<Object: AnyObject> {
    @usableFromInline
    let reference: Unmanaged<Object>

    @inlinable @inline(__always)
    public init(_ object: Object) {
        reference = .passUnretained(object)
    }

    /// Keeps the object until ``giveUp()``: the count is in nobody's property, but in the care of who calls both.
    @inlinable @inline(__always)
    public init(keeping object: consuming Object) {
        reference = .passRetained(object)
    }

    /// Ends what ``init(keeping:)`` began.
    @inlinable @inline(__always)
    public func giveUp() -> Object { reference.takeRetainedValue() }

    /// Hands the object to `body`, uncounted.
    @inlinable @inline(__always)
    public func callAsFunction<Result>(_ body: (Object) -> Result) -> Result {
        reference._withUnsafeGuaranteedRef(body)
    }

    /// A counted reference, for paths that are not hot.
    @inlinable @inline(__always)
    public var object: Object { reference.takeUnretainedValue() }
}

extension Optional where Wrapped: AnyObject {
    /// Borrowed from this property, which has to keep it for the time of the call, or hand it on to somebody who does.
    @inlinable @inline(__always)
    public var borrowed: Borrowed<Wrapped>? { map { Borrowed($0) } }
}
