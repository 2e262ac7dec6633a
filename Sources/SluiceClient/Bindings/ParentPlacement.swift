/// Which side takes values out of their parents, and puts them in: client or gateway.
///
/// A binding of the gateway may have a `parent:` of its own: then the value goes over the wire bare, both ways.
public enum ParentPlacement: Sendable, Hashable {
    /// An answer is read either way. What is sent has the form of the latest answer; before there is one, it goes with
    /// its parent, and without where the gateway refuses that.
    case automatic
    /// The program: the gateway passes documents on as they are.
    case program
    /// The gateway: its bindings have the same `parent:`. To be said where a value without its parent cannot be told
    /// from the parent: a dictionary, for one.
    case gateway
}

extension GatewayClient {
    /// The same client, of a gateway that takes values out of their parents itself, or does not.
    public func with(parents: ParentPlacement) -> GatewayClient {
        var copy = self
        copy.settings.parents = parents
        return copy
    }
}
