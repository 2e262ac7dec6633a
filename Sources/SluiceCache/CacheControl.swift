internal import SluiceContract
public import SluiceHTTP

/// The directives of `Cache-Control` in a request or a response (RFC 9111 §5.2), or of a targeted field (RFC 9213).
///
/// A malformed directive makes an answer stale sooner, never fresh longer: a `max-age` that is no number of seconds
/// counts as 0 (RFC 9111 §4.2.1).
public struct CacheControl: Sendable, Equatable {
    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let noStore = Flags(rawValue: 1)
        public static let noCache = Flags(rawValue: 2)
        /// `no-cache="field"`: only these fields may not be reused (RFC 9111 §5.2.2.4).
        public static let noCacheFields = Flags(rawValue: 4)
        public static let `private` = Flags(rawValue: 8)
        /// `private="field"` (RFC 9111 §5.2.2.7).
        public static let privateFields = Flags(rawValue: 16)
        public static let `public` = Flags(rawValue: 32)
        public static let mustRevalidate = Flags(rawValue: 64)
        public static let proxyRevalidate = Flags(rawValue: 128)
        public static let onlyIfCached = Flags(rawValue: 256)
        public static let mustUnderstand = Flags(rawValue: 512)
        /// RFC 8246.
        public static let immutable = Flags(rawValue: 1024)
        public static let noTransform = Flags(rawValue: 2048)
    }

    public var flags = Flags()
    /// Seconds; the first of several (RFC 9111 §4.2.1).
    public var maxAge: Int?
    public var sMaxAge: Int?
    /// Seconds; `Int.max` without a number: any staleness (RFC 9111 §5.2.1.2).
    public var maxStale: Int?
    public var minFresh: Int?
    /// RFC 5861 §3 and §4, seconds.
    public var staleWhileRevalidate: Int?
    public var staleIfError: Int?

    public init() {}

    /// The largest number of seconds; longer ones count as this (RFC 9111 §1.2.2).
    public static let secondsMax = 1 << 31

    /// Reads every field of this kind, in order.
    public init(_ fields: borrowing HeaderBlock, _ id: FieldID = .cacheControl) {
        for index in 0..<fields.count where fields[index].id == id { read(fields.value(index)) }
    }

    public init(_ value: UnsafeRawBufferPointer) { read(value) }

    private mutating func read(_ value: UnsafeRawBufferPointer) {
        var list = ListIterator(value, honoursQuotes: true)
        while let element = list.next() {
            let equals = element.firstIndex(of: UInt8(ascii: "=")) ?? element.count
            let name = UnsafeRawBufferPointer(rebasing: element[..<equals])
            let argument =
                equals < element.count ? UnsafeRawBufferPointer(rebasing: element[(equals + 1)...]) : nil
            take(name, argument)
        }
    }

    private mutating func take(_ name: UnsafeRawBufferPointer, _ argument: UnsafeRawBufferPointer?) {
        guard let directive = Directive(name) else { return }
        switch directive {
        case .maxAge: if maxAge == nil { maxAge = Self.seconds(argument) ?? 0 }
        case .sMaxAge: if sMaxAge == nil { sMaxAge = Self.seconds(argument) ?? 0 }
        case .staleWhileRevalidate: staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(argument)
        case .staleIfError: staleIfError = staleIfError ?? Self.seconds(argument)
        case .minFresh: minFresh = minFresh ?? Self.seconds(argument)
        case .maxStale: if maxStale == nil { maxStale = argument == nil ? .max : Self.seconds(argument) }
        case .noCache: flags.insert(argument == nil ? .noCache : .noCacheFields)
        case .private: flags.insert(argument == nil ? .private : .privateFields)
        case .flag(let flag): flags.insert(flag)
        }
    }

    /// Adds a directive of a targeted field, whose values are typed already (RFC 9213 §2.1); a value of the wrong type
    /// is ignored.
    mutating func take(_ name: UnsafeRawBufferPointer, typed item: StructuredField.Item) {
        guard let directive = Directive(name) else { return }
        func seconds() -> Int? {
            guard case .integer(let number) = item else { return nil }
            return number < 0 ? 0 : min(number, Self.secondsMax)
        }
        switch directive {
        case .maxAge: maxAge = seconds() ?? maxAge
        case .sMaxAge: sMaxAge = seconds() ?? sMaxAge
        case .staleWhileRevalidate: staleWhileRevalidate = seconds() ?? staleWhileRevalidate
        case .staleIfError: staleIfError = seconds() ?? staleIfError
        case .minFresh, .maxStale: break
        case .noCache: if item == .boolean(true) { flags.insert(.noCache) }
        case .private: if item == .boolean(true) { flags.insert(.private) }
        case .flag(let flag): if item == .boolean(true) { flags.insert(flag) }
        }
    }

    /// `delta-seconds`, in quotes or not (RFC 9111 §5.2): nil for anything else.
    static func seconds(_ argument: UnsafeRawBufferPointer?) -> Int? {
        guard var text = argument else { return nil }
        if text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
            text = UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
        }
        guard text.count > 0, text.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        let digits = UnsafeRawBufferPointer(rebasing: text.drop { $0 == 0x30 })
        if digits.count > 10 { return secondsMax }
        return min(DecimalNumber.parse(digits) ?? 0, secondsMax)
    }

    /// Calls `body` with each field name in the argument of `no-cache="…"` and `private="…"`.
    public static func forEachFieldName(
        in fields: borrowing HeaderBlock, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        for index in 0..<fields.count where fields[index].id == .cacheControl {
            var list = ListIterator(fields.value(index), honoursQuotes: true)
            while let element = list.next() {
                guard let equals = element.firstIndex(of: UInt8(ascii: "=")) else { continue }
                switch Directive(UnsafeRawBufferPointer(rebasing: element[..<equals])) {
                case .noCache, .private: break
                default: continue
                }
                let argument = element[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }
                argument.withUnsafeBytes { bytes in
                    var names = ListIterator(bytes)
                    while let name = names.next() { body(name) }
                }
            }
        }
    }

    private enum Directive {
        case maxAge, sMaxAge, staleWhileRevalidate, staleIfError, minFresh, maxStale, noCache, `private`
        case flag(Flags)

        /// Names compare in any case (RFC 9111 §5.2).
        init?(_ name: UnsafeRawBufferPointer) {
            guard let known = Self.names.first(where: { Self.equals(name, $0.name) }) else { return nil }
            self = known.directive
        }

        private static let names: [(name: StaticString, directive: Directive)] = [
            ("max-age", .maxAge), ("s-maxage", .sMaxAge), ("no-cache", .noCache), ("no-store", .flag(.noStore)),
            ("private", .private), ("public", .flag(.public)), ("must-revalidate", .flag(.mustRevalidate)),
            ("proxy-revalidate", .flag(.proxyRevalidate)), ("stale-while-revalidate", .staleWhileRevalidate),
            ("stale-if-error", .staleIfError), ("immutable", .flag(.immutable)), ("max-stale", .maxStale),
            ("min-fresh", .minFresh), ("only-if-cached", .flag(.onlyIfCached)),
            ("must-understand", .flag(.mustUnderstand)), ("no-transform", .flag(.noTransform)),
        ]

        private static func equals(_ name: UnsafeRawBufferPointer, _ known: StaticString) -> Bool {
            guard name.count == known.utf8CodeUnitCount else { return false }
            for index in 0..<name.count {
                let byte = name[index]
                let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
                if lower != known.utf8Start[index] { return false }
            }
            return true
        }
    }
}

extension CacheControl {
    /// Of a request: `Pragma: no-cache` counts where there is no `Cache-Control` (RFC 9111 §5.4).
    public init(asking fields: borrowing HeaderBlock) {
        self.init(fields)
        if fields.firstIndex(of: .cacheControl) == nil, let index = fields.firstIndex(of: .pragma),
            CacheControl(fields.value(index)).flags.contains(.noCache)
        {
            flags.insert(.noCache)
        }
    }
}

extension CacheControl {
    /// As it is written in an answer that is made of several responses, which has these flags and `max-age` alone.
    public var text: String {
        var directives = Self.written.filter { flags.contains($0.flag) }.map(\.name)
        if let maxAge { directives.append("max-age=\(maxAge)") }
        if let sMaxAge { directives.append("s-maxage=\(sMaxAge)") }
        return directives.joined(separator: ", ")
    }

    /// In the order in which they are written.
    private static let written: [(flag: Flags, name: String)] = [
        (.noStore, "no-store"), (.private, "private"), (.public, "public"), (.noCache, "no-cache"),
        (.mustRevalidate, "must-revalidate"), (.proxyRevalidate, "proxy-revalidate"), (.noTransform, "no-transform"),
    ]
}
