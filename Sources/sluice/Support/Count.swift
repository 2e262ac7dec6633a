/// Numbers of things in words.
enum Count {
    /// `1 binding`, `2 bindings`.
    static func words(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
