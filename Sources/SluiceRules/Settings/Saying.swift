public import SluiceContract

/// What a layer says of a part.
public enum Saying<Value: Sendable>: Sendable {
    /// `false`: what was inherited is switched off.
    case off
    case value(Value)
    /// Makes the value of what was inherited, by the keys that are said of it.
    case change(keys: [String], @Sendable (Value?, Scope) -> Value)

    package static func change(_ change: @escaping @Sendable (Value?, Scope) -> Value) -> Saying {
        .change(keys: [], change)
    }
}

extension Saying where Value: Layered {
    /// Some of its settings; what they leave unsaid is inherited.
    public static func layer(_ layer: Layer<Value>) -> Saying {
        .change(keys: layer.names) { inherited, scope in
            var value = Value.base(inherited)
            value.add(layer, scope)
            return value
        }
    }
}

extension Saying where Value == [HeaderSetting] {
    /// Fields on top of those that were inherited.
    public static func fields(_ own: [HeaderSetting]) -> Saying {
        .change { FieldRule.merged(own, $0 ?? [], $1) }
    }
}

extension Saying where Value == AnswerHeaders {
    /// Fields on top of those that were inherited.
    public static func answerFields(_ own: [HeaderSetting]) -> Saying {
        .change { AnswerHeaders(FieldRule.merged(own, $0?.fields ?? [], $1, ofAnswers: true)) }
    }
}

extension Saying where Value == ErrorSettings {
    /// - Parameter keys: those that are there.
    public static func errors(_ own: ErrorSettings, keys: [String] = []) -> Saying {
        .change(keys: keys) { own.added(to: $0 ?? ErrorSettings(), $1) }
    }
}

/// A value that can contain mistakes, from a file or a program.
public protocol Checked {
    /// Looks at a value all of which is said.
    func check(_ scope: Scope)
}

extension Layer {
    /// Says a key with a value as it is, which is looked at where it is made of settings.
    public mutating func say<Value: Sendable>(
        _ name: String, _ path: WritableKeyPath<Model, Value> & Sendable, _ value: Value
    ) {
        say(name) { model, scope in
            Self.check(value, scope / name)
            model[keyPath: path] = value
        }
    }

    package mutating func say<Value: Sendable>(
        _ name: String, _ path: WritableKeyPath<Model, Value> & Sendable, _ saying: Saying<Value>
    ) {
        switch saying {
        case .off: sayUnread(name)
        case .value(let value): say(name, path, value)
        case .change(let keys, let change):
            say(name, keys: keys) { model, scope in model[keyPath: path] = change(model[keyPath: path], scope / name) }
        }
    }

    package mutating func say<Value: Sendable>(
        _ name: String, _ path: WritableKeyPath<Model, Value?> & Sendable, _ saying: Saying<Value>
    ) {
        switch saying {
        case .off: say(name) { model, _ in model[keyPath: path] = nil }
        case .value(let value): say(name, path, value)
        case .change(let keys, let change):
            say(name, keys: keys) { model, scope in model[keyPath: path] = change(model[keyPath: path], scope / name) }
        }
    }

    static func check<Value>(_ value: Value, _ scope: Scope) {
        // Asked once: for a type that is none, a start reads the list of all conformances that there are.
        if let value = value as? any Checked { value.check(scope) }
    }
}

extension Layered {
    public func check(_ scope: Scope) {
        if isOff { return }
        for setting in Self.settings { SettingBounds.check(setting.get(self), setting.kind, scope / setting.name) }
        check(.everything, scope)
    }
}

extension AnswerHeaders: Checked {
    public func check(_ scope: Scope) { _ = FieldRule.merged(fields, [], scope, ofAnswers: true) }
}
