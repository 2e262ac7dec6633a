internal import SluiceContract

/// Where something stands in a configuration, be it written in a file or built by a program:
/// `bindings."GET /fruits".params.limit`.
public struct ConfigurationPath: Hashable, Sendable {
    public var segments: [Segment]

    public init(_ segments: [Segment] = []) {
        self.segments = segments
    }

    public enum Segment: Hashable, Sendable {
        /// A key of a mapping, or the name of what an author names: an upstream, a binding's route.
        case key(String)
        /// The place of an item in a list, counted from 0.
        case index(Int)
    }

    public static func / (path: ConfigurationPath, key: String) -> ConfigurationPath {
        ConfigurationPath(path.segments + [.key(key)])
    }

    public static func + (path: ConfigurationPath, rest: [Segment]) -> ConfigurationPath {
        ConfigurationPath(path.segments + rest)
    }

    public subscript(index: Int) -> ConfigurationPath { self + [.index(index)] }
}

extension ConfigurationPath: CustomStringConvertible {
    public var description: String {
        var text = ""
        for segment in segments {
            switch segment {
            case .index(let index): text += "[\(index)]"
            case .key(let key): text += (text.isEmpty ? "" : ".") + Self.written(key)
            }
        }
        return text
    }

    /// What holds more than the characters of a name stands in double quotes.
    private static func written(_ key: String) -> String {
        let isPlain = !key.isEmpty && key.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-*".utf8.contains($0) }
        if isPlain { return key }
        return "\"" + key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
