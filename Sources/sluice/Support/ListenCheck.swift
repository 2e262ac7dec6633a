internal import Foundation
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO

/// Whether the configured addresses could be listened on now.
enum ListenCheck {
    /// - Parameter path: the file that `listeners` come from, which is searched for the places of the mistakes.
    static func mistakes(_ listeners: [Listener], in path: String) -> [Mistake] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return listeners.compactMap { listener in
            guard let failure = Server.probe(listener) else { return nil }
            let place = place(of: "\(listener.address)", in: lines) ?? place(of: "listen:", in: lines)
            return Mistake(
                file: path, line: place?.line ?? 1, column: place?.column ?? 1, message: "\(failure)",
                suggestion: .advice("or pass --skip-ports where the running daemon is the one that has it"),
                sourceLine: place.map { String(lines[$0.line - 1]) })
        }
    }

    private static func place(of word: String, in lines: [Substring]) -> (line: Int, column: Int)? {
        for (index, line) in lines.enumerated() {
            let code = line.prefix { $0 != "#" }
            guard let range = code.range(of: word) else { continue }
            return (index + 1, line.distance(from: line.startIndex, to: range.lowerBound) + 1)
        }
        return nil
    }
}
