/// The content codings that Sluice speaks (RFC 9110 §8.4.1), by the names of the registry.
public enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    /// RFC 1952; `x-gzip` is another name for it.
    case gzip
    /// RFC 1950 around RFC 1951; the wrapping is missing where servers get it wrong.
    case deflate
    /// RFC 7932.
    case brotli = "br"
    /// RFC 8878, with the window of RFC 9659.
    case zstd

    /// All of them as `Accept-Encoding` lists them.
    public static let list = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The codings of one body in the order in which they were applied (RFC 9110 §8.4), at most ``countMax``.
public struct CodingStack: Hashable, Sendable {
    /// More than anybody has ever sent on purpose.
    public static let countMax = 8

    public private(set) var count = 0
    /// One byte each, the first in the lowest.
    private var places: UInt64 = 0

    public init() {}

    public init(_ codings: ContentCoding...) {
        for coding in codings { append(coding) }
    }

    public var isEmpty: Bool { count == 0 }

    /// - Precondition: there are less than ``countMax``.
    public mutating func append(_ coding: ContentCoding) {
        precondition(count < Self.countMax, "more codings than a body may have")
        let place =
            switch coding {
            case .gzip: 0
            case .deflate: 1
            case .brotli: 2
            case .zstd: 3
            }
        places |= UInt64(place) << UInt64(8 * count)
        count += 1
    }

    public subscript(index: Int) -> ContentCoding {
        precondition(index >= 0 && index < count, "no such coding")
        switch places >> UInt64(8 * index) & 0xFF {
        case 0: return .gzip
        case 1: return .deflate
        case 2: return .brotli
        default: return .zstd
        }
    }
}

extension CodingStack: CustomStringConvertible {
    /// As `Content-Encoding` would say it.
    public var description: String {
        (0..<count).map { self[$0].rawValue }.joined(separator: ", ")
    }
}
