/// A bound property, for code that does not know its type.
protocol BoundProperty {
    func use(_ client: GatewayClient)
    var bound: BoundRest { get }
}

extension Rest: BoundProperty {
    func use(_ client: GatewayClient) {
        projectedValue.cell.use(client)
    }

    var bound: BoundRest {
        BoundRest(declaration: projectedValue.declaration, value: Value.self, parent: projectedValue.shape.parent)
    }
}

/// A bound property as it was declared.
package struct BoundRest: Sendable {
    package let declaration: RestDeclaration
    /// What it holds.
    package let value: any (Codable & Sendable).Type
    /// nil where an answer is the value.
    package let parent: Parent?

    /// What the value stands in.
    package struct Parent: Sendable {
        package let type: any ParentCodable.Type
        /// From the parent to the value.
        package let prop: AnyKeyPath & Sendable
    }
}
