import SluiceClient

/// What the command line says.
struct Options {
    /// Print what there is when all has come, and end.
    var once = false
    /// How often what failed is tried again, with `--once`.
    var retries = 0
    var limit = 3
    var path = "/fruits/1"
    var rules: [DisplayRule] = .keepData

    static let usage = """
        usage: fruit-watch [--once] [--retries N] [--limit N] [--path /fruits/ID] [--rules NAME]

        Shows the list of fruits and one of them, as they load. Keys, each with return: r tries again what failed, l
        loads anew, q ends. NAME is standard, keep-data, any-data-first, quiet or strict.
        SLUICE_URL says where the gateway is (http://127.0.0.1:8080); it serves config/demo.yaml.
        """

    static let ruleSets: [String: [DisplayRule]] = [
        "standard": .standard, "keep-data": .keepData, "any-data-first": .anyDataFirst, "quiet": .quiet,
        "strict": .strict,
    ]

    /// - Returns: nil where the words make no sense.
    init?(_ words: some Sequence<String>) {
        var words = words.makeIterator()
        while let word = words.next() {
            if word == "--once" {
                once = true
                continue
            }
            guard let value = words.next() else { return nil }
            switch word {
            case "--retries": retries = Int(value) ?? -1
            case "--limit": limit = Int(value) ?? -1
            case "--path": path = value
            case "--rules": rules = Self.ruleSets[value] ?? []
            default: return nil
            }
        }
        guard retries >= 0, limit >= 0, !rules.isEmpty else { return nil }
    }
}
