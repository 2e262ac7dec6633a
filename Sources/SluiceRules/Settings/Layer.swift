/// What one place says of a value, before it is known what others say: `defaults:`, an upstream, a binding. Later layers
/// win, and what they leave unsaid stays as it was.
public struct Layer<Model: Sendable>: Sendable {
    private var entries: [Entry] = []
    /// Whether it says whatever it is asked for: a value that is given as a whole.
    let isEverything: Bool

    private struct Entry: Sendable {
        var name: String
        /// What is said of it, where it is made of settings.
        var keys: [String] = []
        /// nil where the notation was wrong: it is said, and nobody knows what.
        var apply: (@Sendable (inout Model, Scope) -> Void)?
    }

    public init() {
        isEverything = false
    }

    private init(isEverything: Bool) {
        self.isEverything = isEverything
    }

    static var everything: Layer { Layer(isEverything: true) }

    /// Whether the key is there, be its value wrong.
    public func says(_ name: String) -> Bool {
        isEverything || entries.contains { $0.name == name }
    }

    /// Whether a key is there below another.
    public func says(_ name: String, _ key: String) -> Bool {
        entries.contains { $0.name == name && $0.keys.contains(key) }
    }

    /// Whether the key is there, and its value could be read.
    public func tells(_ name: String) -> Bool {
        isEverything || entries.contains { $0.name == name && $0.apply != nil }
    }

    /// The keys that are there, in their order.
    public var names: [String] { entries.map(\.name) }

    /// Says a key.
    /// - Parameter apply: puts the value in its place, and looks at it where it is made of settings itself.
    public mutating func say(
        _ name: String, keys: [String] = [], _ apply: @escaping @Sendable (inout Model, Scope) -> Void
    ) {
        entries.append(Entry(name: name, keys: keys, apply: apply))
    }

    /// Notes that a key is there whose value could not be read; that is told already.
    public mutating func sayUnread(_ name: String) {
        entries.append(Entry(name: name, apply: nil))
    }

    func apply(to model: inout Model, _ scope: Scope) {
        for entry in entries { entry.apply?(&model, scope) }
    }
}

/// A value that is made of settings, of which each layer may say some.
public protocol Layered: Sendable {
    static var settings: [Setting<Self>] { get }
    /// With every default.
    static var usual: Self { get }
    /// What a layer goes on from.
    static func base(_ inherited: Self?) -> Self
    /// Defaults that depend on what the layer says.
    mutating func complete(_ layer: Layer<Self>)
    /// Whether it stands for something that is switched off, so that its other settings say nothing.
    var isOff: Bool { get }
    /// What contradicts itself.
    func check(_ layer: Layer<Self>, _ scope: Scope)
}

extension Layered {
    public static func base(_ inherited: Self?) -> Self { inherited ?? usual }
    public var isOff: Bool { false }
    public mutating func complete(_ layer: Layer<Self>) {}
    public func check(_ layer: Layer<Self>, _ scope: Scope) {}

    /// Puts a layer on top, and looks at what it says.
    mutating func add(_ layer: Layer<Self>, _ scope: Scope) {
        layer.apply(to: &self, scope)
        complete(layer)
        for setting in Self.settings where layer.tells(setting.name) {
            setting.check(setting.get(self), scope / setting.name)
        }
        check(layer, scope)
    }
}

extension Layer where Model: Layered {
    /// Says a setting by its property.
    public mutating func set<Value: Sendable>(_ path: WritableKeyPath<Model, Value> & Sendable, to value: Value) {
        say(Self.name(path), path, value)
    }

    /// Says some of a part's settings; what it leaves unsaid is inherited.
    public mutating func merge<Part: Layered>(
        _ path: WritableKeyPath<Model, Part?> & Sendable, _ build: (inout Layer<Part>) -> Void
    ) {
        var layer = Layer<Part>()
        build(&layer)
        say(Self.name(path), path, .layer(layer))
    }

    private static func name(_ path: PartialKeyPath<Model>) -> String {
        let setting = Model.settings.first { $0.path == path }
        assert(setting != nil, "\(path) is no setting of \(Model.self)")
        return setting?.name ?? ""
    }
}

extension Setting {
    /// Whether a value is one of those that work.
    func check(_ value: SettingValue?, _ scope: @autoclosure () -> Scope) {
        switch (kind, value) {
        case (.size(let range), .number(let bytes)) where !range.contains(bytes):
            scope().mistake(
                "\(Quantity.text(bytes: bytes)) is out of range", at: .value,
                expected: "a size from \(Quantity.text(bytes: range.lowerBound)) to "
                    + Quantity.text(bytes: range.upperBound))
        case (.count(let range), .number(let number)) where !range.contains(number):
            scope().mistake("\(number) is out of range", at: .value, expected: Quantity.expected(range))
        case (.percent(let range), .number(let percent)) where !range.contains(percent):
            scope().mistake(
                "the text '\(percent)%' where a share is wanted", at: .value,
                expected: Quantity.expectedPercent(range))
        case (.duration(let range), .duration(let duration)) where !range.contains(duration):
            if range.lowerBound > .zero, duration == .zero {
                scope().mistake("a wait of nothing never succeeds", at: .value, expected: "more than 0")
                return
            }
            scope().mistake(
                "\(Quantity.text(duration)) is out of range", at: .value,
                expected: "a duration from \(Quantity.text(range.lowerBound)) to \(Quantity.text(range.upperBound))")
        default: break
        }
    }
}
