struct Fruit: Codable, Sendable {
    var name: String
    var size: Int
    var color: String

    var line: String { "\(name), \(color), size \(size)" }
}
