/// Properties that are bound to paths of one gateway.
///
/// ```swift
/// struct FruitStand: Bindings {
///     @Rest(path: "fruitoftheday") var today = Fruit(name: "strawberry", size: 3, color: "red")
/// }
/// ```
public protocol Bindings: Sendable {}

extension Bindings {
    /// Lets all properties of this instance talk to one gateway, from their next call on; bindings within these as
    /// well.
    @discardableResult
    public func use(_ client: GatewayClient) -> Self {
        for child in Mirror(reflecting: self).allChildren {
            if let property = child.value as? any BoundProperty {
                property.use(client)
            } else if let inner = child.value as? any Bindings {
                inner.use(client)
            }
        }
        return self
    }
}

extension Bindings {
    /// The bound properties of this instance in their order, each with its name; bindings within these as well, each
    /// with the names of both: `orders.open`.
    package var boundProperties: [(name: String, property: BoundRest)] {
        Mirror(reflecting: self).allChildren.flatMap { child -> [(name: String, property: BoundRest)] in
            let label = child.label ?? ""
            if let property = child.value as? any BoundProperty {
                // The wrapper of `fruits` is stored as `_fruits`.
                return [(label.hasPrefix("_") ? String(label.dropFirst()) : label, property.bound)]
            }
            guard let inner = child.value as? any Bindings else { return [] }
            return inner.boundProperties.map { ("\(label).\($0.name)", $0.property) }
        }
    }
}

extension Mirror {
    /// The stored properties, those of superclasses first.
    fileprivate var allChildren: [Child] { (superclassMirror?.allChildren ?? []) + children }
}
