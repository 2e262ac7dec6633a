/// Samples of a metrics page, in the text format 0.0.4 of Prometheus. Only the wanted families are read: a page of
/// thousands of bindings consists mostly of histograms that are not shown.
struct MetricsReading {
    struct Sample: Equatable {
        var labels: [String: String]
        var value: Double
    }

    private var samples: [String: [Sample]] = [:]

    /// - Parameter names: the wanted samples, by their names in the text.
    init(_ text: String, names: Set<String>) {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "#") { continue }
            guard let end = line.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: " ") }),
                let name = String(line[..<end]), names.contains(name), let sample = Self.sample(line[end...])
            else { continue }
            samples[name, default: []].append(sample)
        }
    }

    /// All samples of a name, in the order of the page.
    subscript(name: String) -> [Sample] { samples[name] ?? [] }

    /// The sum of all samples of a name.
    func sum(_ name: String) -> Double { self[name].reduce(0) { $0 + $1.value } }

    private static func sample(_ text: Substring.UTF8View) -> Sample? {
        var rest = text
        var labels: [String: String] = [:]
        if rest.first == UInt8(ascii: "{") {
            rest = rest.dropFirst()
            while let first = rest.first, first != UInt8(ascii: "}") {
                guard let equals = rest.firstIndex(of: UInt8(ascii: "=")), let name = String(rest[..<equals]) else {
                    return nil
                }
                rest = rest[equals...].dropFirst()
                guard let value = quoted(&rest) else { return nil }
                labels[name] = value
                if rest.first == UInt8(ascii: ",") { rest = rest.dropFirst() }
            }
            rest = rest.dropFirst()
        }
        let words = rest.split(separator: UInt8(ascii: " "))
        guard let number = words.first.flatMap({ String($0) }).flatMap({ Double($0) }) else { return nil }
        return Sample(labels: labels, value: number)
    }

    /// Reads `"text"`, in which a backslash escapes a quotation mark, a backslash, or an `n` for a new line.
    private static func quoted(_ rest: inout Substring.UTF8View) -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            bytes.append(escaped == UInt8(ascii: "n") ? UInt8(ascii: "\n") : escaped)
        }
        return nil
    }
}
