internal import SluiceContract

/// Scalars of each mood.
extension ValueMaker {
    mutating func scalar(_ scalar: Scalar) -> String {
        switch scalar {
        case .string: JSONText.quote(string())
        case .bool: pick(["false", "true"])
        case .int, .int64: integer(Int64.self)
        case .int8: integer(Int8.self)
        case .int16: integer(Int16.self)
        case .int32: integer(Int32.self)
        case .uint, .uint64: integer(UInt64.self)
        case .uint8: integer(UInt8.self)
        case .uint16: integer(UInt16.self)
        case .uint32: integer(UInt32.self)
        case .double: double()
        case .decimal: decimal()
        case .date(let format): date(format)
        case .uuid: JSONText.quote(uuid())
        case .url: JSONText.quote(url())
        case .data: JSONText.quote(pick(["", "aGVsbG8=", "AAECAwQFBgcICQ==", "/+7dzLuqmYh3ZlVEMyIRAA=="]))
        case .quoted(.bool): pick(["\"false\"", "\"true\""])
        case .quoted(.int): "\"\(integer(Int64.self))\""
        case .quoted(.double): "\"\(double())\""
        case .quoted(.decimal): "\"\(decimal())\""
        case .json: anything()
        }
    }

    // MARK: - Texts

    private static let words = [
        "apple", "banana", "cherry", "date", "elder", "fig", "grape", "hazel", "iris", "jasmine", "kiwi", "lemon",
    ]
    /// What programs trip over: quotes, backslashes, markup, other scripts, characters of several code points.
    static let strangeTexts = [
        "a \"quoted\" text", "back\\slash/and/slash", "<b>&amp;</b>", "Zoë 🍎 👩‍👩‍👧",
        "שלום عالم", " spaces around ",
        "two\nlines\tand a tab", "' OR 1=1; --", "null", "0", "\u{0000}", "e\u{0301}",
    ]

    mutating func string() -> String {
        switch mood {
        case .least: ""
        case .most: (0..<40).map { _ in chance.pick(Self.words) }.joined(separator: " ")
        case .strange: chance.pick(Self.strangeTexts)
        case .usual:
            (0..<Int.random(in: 1...2, using: &chance)).map { _ in chance.pick(Self.words) }.joined(separator: " ")
        }
    }

    private mutating func uuid() -> String {
        switch mood {
        case .least: return "00000000-0000-0000-0000-000000000000"
        case .most: return "ffffffff-ffff-ffff-ffff-ffffffffffff"
        case .strange, .usual:
            let digits = (0..<32).map { index in
                index == 12
                    ? "4" : index == 16 ? chance.pick(["8", "9", "a", "b"]) : String(chance.next() & 15, radix: 16)
            }
            let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }
            return parts.joined(separator: "-")
        }
    }

    private mutating func url() -> String {
        switch mood {
        case .least: "http://a/"
        case .most: "https://user.example.com:8443/a/long/path/of/several/segments?with=a&query=of&some=length#part"
        case .strange: "https://[2001:db8::1]/%C3%A9?q=%20"
        case .usual: "https://example.com/\(chance.pick(Self.words))/\(Int.random(in: 1...999, using: &chance))"
        }
    }

    // MARK: - Numbers

    private mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> String {
        switch mood {
        case .least: return "\(Number.min)"
        case .most: return "\(Number.max)"
        case .strange: return chance.pick(["0", "1", "\(Number.max / 2)"])
        case .usual: return "\(Int.random(in: 0...min(1_000, Int(clamping: Number.max)), using: &chance))"
        }
    }

    private mutating func double() -> String {
        switch mood {
        case .least: "-1.7976931348623157e308"
        case .most: "1.7976931348623157e308"
        case .strange: chance.pick(["0", "-0.0", "5e-324", "0.1", "1e21"])
        case .usual: hundredths(Int.random(in: 0...99_999, using: &chance))
        }
    }

    private mutating func decimal() -> String {
        switch mood {
        case .least: "-99999999999999999999.99"
        case .most: "99999999999999999999.99"
        case .strange: chance.pick(["0", "0.10", "0.000000000000000001"])
        case .usual: hundredths(Int.random(in: 0...99_999, using: &chance))
        }
    }

    private func hundredths(_ count: Int) -> String {
        let rest = "\(count % 100)"
        return "\(count / 100)." + (rest.utf8.count < 2 ? "0" : "") + rest
    }

    // MARK: - Dates

    private mutating func date(_ format: Scalar.DateFormat) -> String {
        // The epoch, a leap day, and the end of 32 bits.
        let seconds =
            switch mood {
            case .least: 0
            case .most: 4_102_444_799
            case .strange: chance.pick([951_827_696, 2_147_483_648, 1_709_164_800])
            case .usual: Int.random(in: 1_577_836_800...1_893_456_000, using: &chance)
            }
        switch format {
        case .seconds: return "\(seconds)"
        case .milliseconds: return "\(seconds * 1000)"
        case .iso8601: return JSONText.quote(dateText(seconds) + (mood == .strange ? "+00:00" : "Z"))
        case .local: return JSONText.quote(dateText(seconds))
        }
    }

    private func dateText(_ seconds: Int) -> String {
        let date = CivilDate(day: seconds / 86_400)
        let time = seconds % 86_400
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return "\(date.year)-\(two(date.month))-\(two(date.day))"
            + "T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
    }

    // MARK: - Any JSON

    private mutating func anything() -> String {
        switch mood {
        case .least: "null"
        case .most: "{\"list\":[1,2,3],\"inner\":{\"text\":\"apple\"}}"
        case .strange: chance.pick(["[]", "{}", "\"\"", "-0", "1e2", "[[[]]]"])
        case .usual: chance.pick(["true", "1", "\"apple\"", "{\"key\":\"value\"}"])
        }
    }
}

extension Scalar {
    /// Whether the scalar is a JSON string.
    var isQuotedText: Bool {
        switch self {
        case .string, .uuid, .url, .data, .quoted, .date(.iso8601), .date(.local), .json: true
        case .bool, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double, .decimal,
            .date(.seconds), .date(.milliseconds):
            false
        }
    }
}
