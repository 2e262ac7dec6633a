import SluiceContract
import SluiceRules

/// The notation of a setting whose value is not of a simple kind.
protocol SettingNotation: Sendable {
    static var shape: Shape { get }
    /// How an explained configuration writes an absent value; nil leaves the key out.
    static var absent: String? { get }
    /// - Returns: nil where the node is wrong, which is reported.
    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Self>?
    /// Writes the value in the notation in which it is read.
    func write(_ name: String, _ writer: inout YAMLWriter)
}

extension SettingNotation {
    static var absent: String? { nil }
}

extension SourceNode {
    /// Whether the text switches something off.
    var isOff: Bool { ["false", "no", "off"].contains(text) }
}

extension Section.Key {
    /// A setting as the schema and the documentation show it.
    init<Model: Layered>(_ setting: Setting<Model>) {
        self.init(
            setting.name, Shape(setting.kind), default: setting.fallback ?? Self.fallback(setting), setting.summary)
        isRequired = setting.isRequired
    }

    private static func fallback<Model: Layered>(_ setting: Setting<Model>) -> String {
        setting.value(in: .usual).map { SettingText.text($0, setting.kind) } ?? "none"
    }
}

extension Layered {
    /// All settings as keys.
    static var keys: [Section.Key] { settings.map { Section.Key($0) } }

    /// The key of one setting.
    static func key(_ name: String) -> Section.Key {
        let setting = settings.first { $0.name == name }
        assert(setting != nil, "\(Self.self) has no setting '\(name)'")
        return setting.map { Section.Key($0) } ?? Section.Key(name, .any, "")
    }
}

extension Shape {
    init(_ kind: SettingKind) {
        switch kind {
        case .size(let range) where range.upperBound == .max: self = .size
        case .size(let range):
            self = .within(
                .size, least: Quantity.text(bytes: range.lowerBound), most: Quantity.text(bytes: range.upperBound))
        case .count(let range): self = .integer(range)
        case .percent: self = .text(pattern: Quantity.percentPattern)
        case .duration(let range) where range == Quantity.durations || range == Quantity.waits: self = .duration
        case .duration(let range):
            self = .within(
                .duration, least: Quantity.text(range.lowerBound), most: Quantity.text(range.upperBound))
        case .flag: self = .flag
        case .choice(let words): self = .choice(words)
        case .words(let words): self = .oneOrMany(.choice(words))
        case .texts: self = .oneOrMany(.text())
        case .text: self = .text()
        case .part(let type): self = (type as? any SettingNotation.Type)?.shape ?? .any
        }
    }
}

/// Values of simple kinds as the configuration writes them.
enum SettingText {
    static func text(_ value: SettingValue, _ kind: SettingKind) -> String {
        switch (value, kind) {
        case (.number(let bytes), .size): Quantity.text(bytes: bytes)
        case (.number(let percent), .percent): "\(percent)%"
        case (.number(let number), _): String(number)
        case (.duration(let duration), _): Quantity.text(duration)
        case (.flag(let flag), _): String(flag)
        case (.word(let word), _): word
        case (.words(let words), _): "[\(words.joined(separator: ", "))]"
        }
    }
}

extension Fields {
    /// The settings that the mapping contains.
    func layer<Model: Layered>(of: Model.Type = Model.self) -> Layer<Model> {
        var layer = Layer<Model>()
        read(Model.settings, into: &layer)
        return layer
    }

    func read<Model>(_ settings: [Setting<Model>], into layer: inout Layer<Model>) {
        for setting in settings {
            guard let node = node(setting.name) else {
                // A misspelt setting counts as present but unread, so that its absence is not reported as well.
                if isMisspelt(setting.name) { layer.sayUnread(setting.name) }
                continue
            }
            if case .part(let type) = setting.kind {
                guard let notation = type as? any SettingNotation.Type else {
                    assertionFailure("\(type) has no notation")
                    continue
                }
                read(notation, setting, node, into: &layer)
            } else if let value = context.value(node, setting.kind) {
                setting.say(value, in: &layer)
            } else {
                layer.sayUnread(setting.name)
            }
        }
    }

    private func read<Part: SettingNotation, Model>(
        _: Part.Type, _ setting: Setting<Model>, _ node: SourceNode, into layer: inout Layer<Model>
    ) {
        if let saying = Part.saying(node, context) {
            setting.say(part: saying, in: &layer)
        } else {
            layer.sayUnread(setting.name)
        }
    }

    /// For a key that is not a setting: reads its value into a property, where it can be read. The key path is made
    /// only where the key is present: to make one costs more than to look for a key.
    func say<Model, Value: Sendable>(
        _ key: String, _ path: @autoclosure () -> WritableKeyPath<Model, Value> & Sendable,
        in layer: inout Layer<Model>,
        _ read: (SourceNode) -> Value?
    ) {
        guard let node = node(key) else { return }
        if let value = read(node) { layer.say(key, path(), value) } else { layer.sayUnread(key) }
    }

    func say<Model, Value: Sendable>(
        _ key: String, _ path: @autoclosure () -> WritableKeyPath<Model, Value?> & Sendable,
        in layer: inout Layer<Model>,
        _ read: (SourceNode) -> Value?
    ) {
        guard let node = node(key) else { return }
        if let value = read(node) { layer.say(key, path(), value) } else { layer.sayUnread(key) }
    }

    /// The same for a value with a notation of its own.
    func say<Model, Part: SettingNotation>(
        _ key: String, part path: @autoclosure () -> WritableKeyPath<Model, Part?> & Sendable,
        in layer: inout Layer<Model>
    ) {
        guard let node = node(key) else { return }
        if let saying = Part.saying(node, context) { layer.say(key, path(), saying) } else { layer.sayUnread(key) }
    }

    func say<Model, Part: SettingNotation>(
        _ key: String, part path: @autoclosure () -> WritableKeyPath<Model, Part> & Sendable,
        in layer: inout Layer<Model>
    ) {
        guard let node = node(key) else { return }
        if let saying = Part.saying(node, context) { layer.say(key, path(), saying) } else { layer.sayUnread(key) }
    }
}

extension YAMLWriter {
    /// Writes the settings of a model, except those in `left`.
    mutating func settings<Model: Layered>(of model: Model, except left: Set<String> = []) {
        for setting in Model.settings where !left.contains(setting.name) {
            if leavesUsual, setting.isSame(in: model, as: .usual) { continue }
            if let value = setting.value(in: model) {
                self.setting(setting.name, value, setting.kind)
            } else if case .part(let type) = setting.kind {
                if let part = model[keyPath: setting.path] as? any SettingNotation {
                    part.write(setting.name, &self)
                } else if let absent = (type as? any SettingNotation.Type)?.absent {
                    raw(setting.name, absent)
                }
            }
        }
    }

    private mutating func setting(_ name: String, _ value: SettingValue, _ kind: SettingKind) {
        switch value {
        case .number, .flag:
            if case .count = kind {
                raw(name, SettingText.text(value, kind))
            } else if case .flag = kind {
                raw(name, SettingText.text(value, kind))
            } else {
                key(name, SettingText.text(value, kind))
            }
        // A command of a credential.
        case .words(let words) where name == "run" || name == "command": list(name, ShownText.command(words))
        case .words(let words): list(name, words.map(ShownText.url))
        case .word(let word): key(name, ShownText.url(word))
        case .duration: key(name, SettingText.text(value, kind))
        }
    }
}
