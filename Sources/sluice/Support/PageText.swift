internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles
internal import SluiceRules

/// The text of a page, to find the places of mistakes that show after it is read.
struct PageText {
    private let name: String
    private let lines: [Substring]

    /// Without a line where it cannot be read again.
    init(_ source: ConfigurationFile) {
        name = source.name
        let text = (try? FileReader.contents(of: source.path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// - Parameter words: where the first of them that there is stands, or else at the beginning.
    func mistake(_ message: String, at words: [String], advice: String) -> Mistake {
        let place = words.lazy.compactMap { self.place(of: $0) }.first
        return Mistake(
            file: name, line: place?.line ?? 1, column: place?.column ?? 1, message: message,
            suggestion: .advice(advice), sourceLine: place.map { String(lines[$0.line - 1]) })
    }

    private func place(of word: String) -> (line: Int, column: Int)? {
        for (index, line) in lines.enumerated() {
            let code = line.prefix { $0 != "#" }
            guard let range = code.firstRange(of: word) else { continue }
            return (index + 1, line.distance(from: line.startIndex, to: range.lowerBound) + 1)
        }
        return nil
    }
}
