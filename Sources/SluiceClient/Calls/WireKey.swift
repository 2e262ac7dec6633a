/// A key as it stands on the wire, or a place in a list.
package struct WireKey: CodingKey {
    package var stringValue: String
    package var intValue: Int?

    package init(_ name: String) {
        stringValue = name
    }

    package init(index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    package init(stringValue: String) {
        self.init(stringValue)
    }

    package init(intValue: Int) {
        self.init(index: intValue)
    }
}
