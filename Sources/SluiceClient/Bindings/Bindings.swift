/// Properties that are bound to paths of one gateway.
///
/// ```swift
/// struct FruitStand: Bindings {
///     @Rest(path: "fruitoftheday") var today = Fruit(name: "strawberry", size: 3, color: "red")
/// }
/// ```
public protocol Bindings: Sendable {}

/// What a bound property is to those who do not know its type.
protocol BoundProperty {
    func use(_ client: GatewayClient)
}

extension Rest: BoundProperty {
    func use(_ client: GatewayClient) {
        projectedValue.cell.use(client)
    }
}

extension Bindings {
    /// Lets all properties of this instance talk to one gateway, from their next call on; bindings within these as
    /// well.
    @discardableResult
    public func use(_ client: GatewayClient) -> Self {
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            for child in level.children {
                if let property = child.value as? any BoundProperty {
                    property.use(client)
                } else if let inner = child.value as? any Bindings {
                    inner.use(client)
                }
            }
            mirror = level.superclassMirror
        }
        return self
    }
}
