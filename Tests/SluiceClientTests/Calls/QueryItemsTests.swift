import Foundation
import Testing

@testable import SluiceClient

/// Parameters of a dictionary as items of a query.
@Suite struct QueryItemsTests {
    enum Order: String { case byName = "by-name" }
    enum Size: Int, CustomStringConvertible {
        case small = 1
        var description: String { "size-\(rawValue)" }
    }

    @Test func whatIsAbsentIsLeftOut() {
        #expect(QueryItems(["since": nil as Date?]).isEmpty)
        #expect(QueryItems(["order": nil as Order?, "other": .byName]).text == "other=by-name")
        #expect(QueryItems(["list": [nil, Order.byName, nil]]).text == "list=by-name")
        #expect(QueryItems(["deep": .some(nil) as Int??]).isEmpty)
    }

    /// What prints itself is printed: that is what the program says of it.
    @Test func enumsAreTheirRawValues() {
        #expect(QueryItems(["order": Order.byName]).text == "order=by-name")
        #expect(QueryItems(["order": Order.byName as Order?]).text == "order=by-name")
        #expect(QueryItems(["size": Size.small]).text == "size=size-1")
    }

    @Test func listsRepeatTheirName() {
        let items = QueryItems(["a": [1, 2] as [Any], "b": [Order.byName] as [Any]])
        #expect(items.text == "a=1&a=2&b=by-name" && items.lists == ["a", "b"])
        #expect(QueryItems(["a": Set([Size.small]) as Any, "b": [3, 4][...]]).text == "a=size-1&b=3&b=4")
        #expect(QueryItems(["a": [] as [Order]]).lists == ["a"])
    }
}
