/// What one place says of a value, before it is known what others say: `defaults:`, an upstream, a binding. Later
/// layers win, and what they leave unsaid stays as it was.
public struct Layer<Model: Sendable>: Sendable {
    private var entries: [Entry] = []
    /// Whether it says whatever it is asked for: a value that is given as a whole.
    let isEverything: Bool

    private struct Entry: Sendable {
        var name: String
        /// What is said of it, where it is made of settings.
        var keys: [String] = []
        /// nil if the notation was wrong: the setting is present, but its value is unknown.
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
public protocol Layered: Checked, Sendable {
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
        check(layer, scope)
    }
}

extension Layer where Model: Layered {
    /// Says what of a value is not as usual.
    public init(differencesOf model: Model) {
        self.init()
        for setting in Model.settings { setting.sayDifference(model, .usual, &self) }
    }

    /// Says a setting by its property.
    public mutating func set<Value: Sendable>(_ path: WritableKeyPath<Model, Value> & Sendable, to value: Value) {
        let setting = Self.setting(path)
        say(setting.name) { model, scope in
            model[keyPath: path] = value
            SettingBounds.check(setting.get(model), setting.kind, scope / setting.name)
            Self.check(value, scope / setting.name)
        }
    }

    /// Says some of a part's settings; what it leaves unsaid is inherited.
    public mutating func merge<Part: Layered>(
        _ path: WritableKeyPath<Model, Part?> & Sendable, _ build: (inout Layer<Part>) -> Void
    ) {
        var layer = Layer<Part>()
        build(&layer)
        say(Self.setting(path).name, path, .layer(layer))
    }

    /// - Precondition: the property is a setting.
    private static func setting(_ path: PartialKeyPath<Model>) -> Setting<Model> {
        let setting = Model.settings.first { $0.path == path }
        precondition(setting != nil, "\(path) is no setting of \(Model.self)")
        return setting ?? Model.settings[0]
    }
}
