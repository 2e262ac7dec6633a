internal import SluiceContract
internal import SluiceHTTP

/// The parameters of an administrative request: text by name, each at most once unless it is a list.
struct AdminQuery {
    private var pairs: [(name: String, value: String)] = []

    /// - Throws: a problem that names every parameter that `names` does not have.
    init(_ query: UnsafeRawBufferPointer, of path: String, names: [String]) throws(Problem) {
        var faults: [Problem.Fault] = []
        var rest = QueryIterator(query)
        while let pair = rest.next() {
            let name = Self.text(pair.name)
            guard let name, names.contains(name) else {
                faults.append(Self.unknown(name ?? String(decoding: pair.name, as: UTF8.self), names))
                continue
            }
            guard let value = Self.text(pair.value) else {
                faults.append(Self.fault(name, expected: "percent-encoded UTF-8", found: "something else"))
                continue
            }
            pairs.append((name, value))
        }
        if !faults.isEmpty { throw .badParameters(faults, of: path) }
    }

    func values(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.map(\.value)
    }

    /// - Throws: where it stands several times.
    func value(_ name: String) throws(Problem) -> String? {
        let values = values(name)
        if values.count > 1 { throw Self.wrong(name, expected: "one value", found: "\(values.count)") }
        return values.first
    }

    /// A parameter without a value means yes.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch try value(name) {
        case nil, "false"?: return false
        case ""?, "true"?: return true
        case let text?: throw Self.wrong(name, expected: "true or false", found: "'\(text)'")
        }
    }

    func number(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws(Problem) -> Int {
        guard let text = try value(name) else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            throw Self.wrong(
                name, expected: "a number from \(range.lowerBound) to \(range.upperBound)", found: "'\(text)'")
        }
        return number
    }

    // MARK: - Problems

    static func wrong(_ name: String, in location: String = "query", expected: String, found: String) -> Problem {
        .badParameters([fault(name, in: location, expected: expected, found: found)], of: "the admin socket")
    }

    private static func fault(
        _ name: String, in location: String = "query", expected: String, found: String
    ) -> Problem.Fault {
        Problem.Fault(name: name, location: location, expected: expected, found: found)
    }

    private static func unknown(_ name: String, _ names: [String]) -> Problem.Fault {
        var fault = fault(
            name, expected: names.isEmpty ? "nothing" : names.joined(separator: ", "), found: "'\(name)'")
        fault.hint = Nearest.name(to: name, among: names).map { "did you mean '\($0)'?" }
        return fault
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        if bytes.isEmpty { return "" }
        var scratch = ByteScratch()
        guard scratch.withSpare(bytes.count, { PercentEncoding.decode(bytes, plusIsSpace: true, into: $0) }) != nil
        else {
            return nil
        }
        return String(validating: scratch.bytes, as: UTF8.self)
    }
}
