internal import SluiceJSON

/// A fruit as the demo API takes and gives it.
struct Fruit: Decodable {
    var name: String
    var size: Int
    var color: Color
    var ripe: Bool?
    /// RFC 3339.
    var picked: String?

    enum Color: String, Decodable, CaseIterable {
        case red, green, yellow
    }

    func json(id: Int) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("id", .number(id)), ("name", .string(name)), ("size", .number(size)), ("color", .string(color.rawValue)),
        ]
        if let ripe { members.append(("ripe", .bool(ripe))) }
        if let picked { members.append(("picked", .string(picked))) }
        return .object(members)
    }

    /// What is wrong with the fruit; nil if it is valid.
    var objection: String? {
        if name.isEmpty { return "A fruit needs a name." }
        if !(1...100).contains(size) { return "The size of a fruit is between 1 and 100." }
        return nil
    }
}
