/// `rows:`: how a text that is no JSON document holds the rows of a value.
public struct RowPolicy: Hashable, Sendable {
    public var format: Format
    public var delivery: Delivery

    public init(_ format: Format, delivery: Delivery? = nil) {
        self.format = format
        self.delivery = delivery ?? format.usualDelivery
    }

    /// What the upstream writes.
    public enum Format: Hashable, Sendable {
        /// A JSON value in each line.
        case ndjson
        /// A record in each line (RFC 4180), whose columns have the names of a type's keys.
        case csv(Table)
        /// The data of server-sent events (WHATWG HTML §9.2), a JSON value each. Data that are `end` end the rows.
        case events(end: String?)

        /// As the configuration calls it.
        public var name: String {
            switch self {
            case .ndjson: "ndjson"
            case .csv: "csv"
            case .events: "events"
            }
        }

        /// What the upstream is asked for.
        public var mediaType: String {
            switch self {
            case .ndjson: MediaType.ndjson[0]
            case .csv: MediaType.csv
            case .events: MediaType.events
            }
        }

        private enum MediaType {
            /// None is registered; the first is the most common.
            static let ndjson = ["application/x-ndjson", "application/ndjson", "application/jsonl"]
            static let csv = "text/csv"
            static let events = "text/event-stream"
        }

        /// The name of the format that a text says it has.
        /// - Parameter contentType: the value of a field, parameters included.
        public static func name(ofMediaType contentType: String) -> String? {
            switch String(contentType.lowercased().prefix { $0 != ";" && $0 != " " }) {
            case MediaType.csv: "csv"
            case MediaType.events: "events"
            case let type where MediaType.ndjson.contains(type): "ndjson"
            default: nil
            }
        }

        /// A stream of events may have no end, and an array without one is nothing that can be read.
        public var usualDelivery: Delivery {
            if case .events = self { .lines } else { .array }
        }
    }

    /// Where the columns of a CSV text get their names, and what stands between them.
    public struct Table: Hashable, Sendable {
        /// In their order; nil where the first record has them.
        public var columns: [String]?
        public var separator: Separator

        public init(columns: [String]? = nil, separator: Separator = .comma) {
            self.columns = columns
            self.separator = separator
        }

        /// Columns at most.
        public static let columnsMax = 1000
        /// Bytes of one column's name: it is repeated in every row.
        public static let nameBytesMax = 256
    }

    public enum Separator: String, Hashable, Sendable, CaseIterable {
        case comma, semicolon, tab, bar
    }

    /// How the rows go out.
    public enum Delivery: String, Hashable, Sendable, CaseIterable {
        /// One JSON array.
        case array
        /// A JSON value in each line, each as soon as it is there and proven.
        case lines
    }
}
