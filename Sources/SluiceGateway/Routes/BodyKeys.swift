internal import SluiceContract

/// The keys at the top of a body, as clients write them: suggestions for a key that is not declared.
struct BodyKeys {
    private let names: [String]

    init(_ binding: Binding, _ types: NamedTypes) {
        let parameters = binding.parameters.filter { $0.location == .body && !$0.isFixed }
        if parameters.isEmpty, case .json(let type) = binding.body, case .object(let object) = types.resolved(type) {
            names = object.fields.map { binding.keys.localKey(of: $0) }
        } else {
            names = parameters.map { binding.keys.localKey($0.name) }
        }
    }

    /// The faults, with a hint at each undeclared key at the top that resembles one of the declared keys.
    func hinting(_ faults: [Problem.Fault]) -> [Problem.Fault] {
        faults.map { fault in
            guard fault.reason == .undeclaredKey, fault.hint == nil, fault.name.hasPrefix("$."),
                let near = Nearest.name(to: String(fault.name.dropFirst(2)), among: names)
            else { return fault }
            var hinted = fault
            hinted.hint = "did you mean '\(near)'?"
            return hinted
        }
    }
}
