internal import SluiceContract

/// One key of a configuration that stands for one property of a value: the only place where it is listed. Reading,
/// inheritance, the bounds of its values, the schema and the documentation go by this.
public struct Setting<Model: Sendable>: Sendable {
    public let name: String
    /// Made when it is asked for: a key path is looked up at run time, and a start needs few of them.
    public var path: PartialKeyPath<Model> & Sendable { findPath() }
    public let kind: SettingKind
    /// The default as the documentation tells it; nil where it is the property's own.
    public let fallback: String?
    /// One sentence without its full stop.
    public let summary: String
    /// Whether whoever says anything of the value has to say it.
    public let isRequired: Bool
    private let findPath: @Sendable () -> PartialKeyPath<Model> & Sendable
    let get: @Sendable (Model) -> SettingValue?
    let put: @Sendable (inout Model, SettingValue) -> Void
    let sayPart: @Sendable (Any, inout Layer<Model>) -> Void
    /// Says what the property is, where it is not as in the other.
    let sayDifference: @Sendable (Model, _ from: Model, inout Layer<Model>) -> Void

    /// What the property is, as far as everybody treats it alike.
    public func value(in model: Model) -> SettingValue? { get(model) }

    /// Whether the property is the same in both.
    public func isSame(in model: Model, as other: Model) -> Bool {
        var layer = Layer<Model>()
        sayDifference(model, other, &layer)
        return layer.names.isEmpty
    }

    /// Says a value of a simple kind.
    package func say(_ value: SettingValue, in layer: inout Layer<Model>) {
        layer.say(name) { model, scope in
            put(&model, value)
            SettingBounds.check(value, kind, scope / name)
        }
    }

    /// Says a part, which is a ``Saying`` of the property's type.
    package func say(part: Any, in layer: inout Layer<Model>) { sayPart(part, &layer) }
}

/// What a setting may be.
public enum SettingKind: Sendable {
    /// Bytes.
    case size(ClosedRange<Int>)
    case count(ClosedRange<Int>)
    case percent(ClosedRange<Int>)
    case duration(ClosedRange<Duration>)
    case flag
    /// One word of a closed set.
    case choice([String])
    /// Some of them, in an order.
    case words([String])
    /// A text of the author's choice, and what it is.
    case text(String)
    /// Texts of the author's choice, and what one of them is.
    case texts(String)
    /// A value with a notation of its own.
    case part(any Sendable.Type)
}

/// A value of a simple kind.
public enum SettingValue: Hashable, Sendable {
    case number(Int)
    case duration(Duration)
    case flag(Bool)
    case word(String)
    case words([String])
}

/// A property of a simple kind, and of one that may be nil.
protocol SettingProperty: Sendable {
    init?(_ value: SettingValue)
    var settingValue: SettingValue? { get }
}

extension Int: SettingProperty {
    init?(_ value: SettingValue) {
        guard case .number(let number) = value else { return nil }
        self = number
    }

    var settingValue: SettingValue? { .number(self) }
}

extension Duration: SettingProperty {
    init?(_ value: SettingValue) {
        guard case .duration(let duration) = value else { return nil }
        self = duration
    }

    var settingValue: SettingValue? { .duration(self) }
}

extension Bool: SettingProperty {
    init?(_ value: SettingValue) {
        guard case .flag(let flag) = value else { return nil }
        self = flag
    }

    var settingValue: SettingValue? { .flag(self) }
}

extension String: SettingProperty {
    init?(_ value: SettingValue) {
        guard case .word(let word) = value else { return nil }
        self = word
    }

    var settingValue: SettingValue? { .word(self) }
}

extension Optional: SettingProperty where Wrapped: SettingProperty {
    init?(_ value: SettingValue) {
        self = Wrapped(value)
    }

    var settingValue: SettingValue? { flatMap(\.settingValue) }
}

/// A property that is a word of a closed set.
public typealias Choice = CaseIterable & Sendable & RawRepresentable<String>

extension Setting {
    typealias Path<Value> = @Sendable () -> WritableKeyPath<Model, Value> & Sendable

    /// A property of a simple kind.
    private init(
        name: String, path: @escaping @Sendable () -> PartialKeyPath<Model> & Sendable, kind: SettingKind,
        fallback: String?, summary: String, isRequired: Bool,
        get: @escaping @Sendable (Model) -> SettingValue?,
        put: @escaping @Sendable (inout Model, SettingValue) -> Void
    ) {
        self.init(
            name: name, kind: kind, fallback: fallback, summary: summary, isRequired: isRequired, findPath: path,
            get: get, put: put, sayPart: { _, _ in },
            sayDifference: { model, other, layer in
                guard let value = get(model), value != get(other) else { return }
                layer.say(name) { model, scope in
                    put(&model, value)
                    SettingBounds.check(value, kind, scope / name)
                }
            })
    }

    private init<Value: SettingProperty>(
        _ name: String, _ path: @escaping Path<Value>, _ kind: SettingKind, _ fallback: String?,
        _ summary: String, isRequired: Bool = false
    ) {
        self.init(
            name: name, path: { path() }, kind: kind, fallback: fallback, summary: summary, isRequired: isRequired,
            get: { $0[keyPath: path()].settingValue },
            put: { model, value in if let value = Value(value) { model[keyPath: path()] = value } })
    }

    static func size(
        _ name: String, _ path: @autoclosure @escaping Path<Int>, in range: ClosedRange<Int> = 0...Int.max,
        _ summary: String
    ) -> Setting { Setting(name, path, .size(range), nil, summary) }

    static func size(
        _ name: String, _ path: @autoclosure @escaping Path<Int?>, in range: ClosedRange<Int> = 0...Int.max,
        default fallback: String, _ summary: String
    ) -> Setting { Setting(name, path, .size(range), fallback, summary) }

    static func count(
        _ name: String, _ path: @autoclosure @escaping Path<Int>, in range: ClosedRange<Int>, _ summary: String
    ) -> Setting { Setting(name, path, .count(range), nil, summary) }

    static func required(
        _ name: String, _ path: @autoclosure @escaping Path<Int>, in range: ClosedRange<Int>, _ summary: String
    ) -> Setting { Setting(name, path, .count(range), "required", summary, isRequired: true) }

    static func count(
        _ name: String, _ path: @autoclosure @escaping Path<Int?>, in range: ClosedRange<Int>,
        default fallback: String, _ summary: String
    ) -> Setting { Setting(name, path, .count(range), fallback, summary) }

    static func percent(
        _ name: String, _ path: @autoclosure @escaping Path<Int>, in range: ClosedRange<Int>, _ summary: String
    ) -> Setting { Setting(name, path, .percent(range), nil, summary) }

    /// From nothing on.
    static func duration(
        _ name: String, _ path: @autoclosure @escaping Path<Duration>, _ summary: String
    ) -> Setting { Setting(name, path, .duration(Quantity.durations), nil, summary) }

    static func duration(
        _ name: String, _ path: @autoclosure @escaping Path<Duration?>, default fallback: String = "none",
        _ summary: String
    ) -> Setting { Setting(name, path, .duration(Quantity.durations), fallback, summary) }

    /// A duration that makes no sense as nothing.
    static func wait(
        _ name: String, _ path: @autoclosure @escaping Path<Duration>,
        in range: ClosedRange<Duration> = Quantity.waits, _ summary: String
    ) -> Setting { Setting(name, path, .duration(range), nil, summary) }

    static func wait(
        _ name: String, _ path: @autoclosure @escaping Path<Duration?>, default fallback: String,
        _ summary: String
    ) -> Setting { Setting(name, path, .duration(Quantity.waits), fallback, summary) }

    static func flag(
        _ name: String, _ path: @autoclosure @escaping Path<Bool>, default fallback: String? = nil,
        _ summary: String
    ) -> Setting { Setting(name, path, .flag, fallback, summary) }

    static func text(
        _ name: String, _ path: @autoclosure @escaping Path<String>, of what: String, _ summary: String
    ) -> Setting { Setting(name, path, .text(what), nil, summary) }

    static func text(
        _ name: String, _ path: @autoclosure @escaping Path<String?>, of what: String, _ summary: String
    ) -> Setting { Setting(name, path, .text(what), "none", summary) }

    static func required(
        _ name: String, _ path: @autoclosure @escaping Path<String>, of what: String, _ summary: String
    ) -> Setting { Setting(name, path, .text(what), "required", summary, isRequired: true) }

    // Each row would be compiled anew for its type, with copies of whole upstreams in it: 80 KB for nothing.
    @_semantics("optimize.sil.specialize.generic.never")
    static func choice<Value: Choice>(
        _ name: String, _ path: @autoclosure @escaping Path<Value>, default fallback: String? = nil,
        _ summary: String
    ) -> Setting {
        Setting(
            name: name, path: { path() }, kind: .choice(Value.allCases.map(\.rawValue)), fallback: fallback,
            summary: summary, isRequired: false, get: { .word($0[keyPath: path()].rawValue) },
            put: { model, value in
                if case .word(let word) = value, let value = Value(rawValue: word) { model[keyPath: path()] = value }
            })
    }

    @_semantics("optimize.sil.specialize.generic.never")
    static func choice<Value: Choice>(
        _ name: String, _ path: @autoclosure @escaping Path<Value?>, default fallback: String, _ summary: String
    ) -> Setting {
        Setting(
            name: name, path: { path() }, kind: .choice(Value.allCases.map(\.rawValue)), fallback: fallback,
            summary: summary, isRequired: false, get: { $0[keyPath: path()].map { .word($0.rawValue) } },
            put: { model, value in
                if case .word(let word) = value, let value = Value(rawValue: word) { model[keyPath: path()] = value }
            })
    }

    static func words<Value: Choice>(
        _ name: String, _ path: @autoclosure @escaping Path<[Value]>, _ summary: String
    ) -> Setting {
        Setting(
            name: name, path: { path() }, kind: .words(Value.allCases.map(\.rawValue)), fallback: nil, summary: summary,
            isRequired: false, get: { .words($0[keyPath: path()].map(\.rawValue)) },
            put: { model, value in
                guard case .words(let words) = value else { return }
                model[keyPath: path()] = words.compactMap { Value(rawValue: $0) }
            })
    }

    static func texts(
        _ name: String, _ path: @autoclosure @escaping Path<[String]>, of what: String,
        default fallback: String? = nil, _ summary: String
    ) -> Setting {
        Setting(
            name: name, path: { path() }, kind: .texts(what), fallback: fallback, summary: summary, isRequired: false,
            get: { .words($0[keyPath: path()]) },
            put: { model, value in if case .words(let words) = value { model[keyPath: path()] = words } })
    }

    static func texts(
        _ name: String, _ path: @autoclosure @escaping Path<[String]?>, of what: String,
        default fallback: String, _ summary: String
    ) -> Setting {
        Setting(
            name: name, path: { path() }, kind: .texts(what), fallback: fallback, summary: summary, isRequired: false,
            get: { $0[keyPath: path()].map { .words($0) } },
            put: { model, value in if case .words(let words) = value { model[keyPath: path()] = words } })
    }

    /// What has a notation of its own; nil is `false` there.
    @_semantics("optimize.sil.specialize.generic.never")
    static func part<Value: Hashable & Sendable>(
        _ name: String, _ path: @autoclosure @escaping Path<Value?>, default fallback: String = "none",
        _ summary: String
    ) -> Setting {
        Setting(
            name: name, kind: .part(Value.self), fallback: fallback, summary: summary, isRequired: false,
            findPath: { path() }, get: { _ in nil }, put: { _, _ in },
            sayPart: { saying, layer in (saying as? Saying<Value>).map { layer.say(name, path(), $0) } },
            sayDifference: { model, other, layer in
                if model[keyPath: path()] != other[keyPath: path()] { layer.say(name, path(), model[keyPath: path()]) }
            })
    }

    @_semantics("optimize.sil.specialize.generic.never")
    static func part<Value: Hashable & Sendable>(
        _ name: String, _ path: @autoclosure @escaping Path<Value>, default fallback: String = "{}",
        _ summary: String
    ) -> Setting {
        Setting(
            name: name, kind: .part(Value.self), fallback: fallback, summary: summary, isRequired: false,
            findPath: { path() }, get: { _ in nil }, put: { _, _ in },
            sayPart: { saying, layer in (saying as? Saying<Value>).map { layer.say(name, path(), $0) } },
            sayDifference: { model, other, layer in
                if model[keyPath: path()] != other[keyPath: path()] { layer.say(name, path(), model[keyPath: path()]) }
            })
    }
}
