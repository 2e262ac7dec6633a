internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Checks the fields of an `application/x-www-form-urlencoded` body and writes them anew for the upstream.
struct FormReader {
    private let fields: [RouteParameter]
    private let unknown: Binding.UnknownParameters
    /// How many faults are reported; once there are so many, the rest of the form is not checked.
    private let faultsMax: Int
    private var found: [Int]
    /// The values of each field whose values have to differ.
    private var lists: [[[UInt8]]]
    private(set) var faults: [Problem.Fault] = []
    /// The form in normal encoding.
    private(set) var encoded: [UInt8] = []

    init(fields: [RouteParameter], unknown: Binding.UnknownParameters, faultsMax: Int) {
        self.fields = fields
        self.faultsMax = max(1, faultsMax)
        self.unknown = unknown
        found = Array(repeating: 0, count: fields.count)
        lists = Array(repeating: [], count: fields.count)
    }

    mutating func read(_ form: UnsafeRawBufferPointer) {
        var pairs = QueryIterator(form)
        while faults.count < faultsMax, let pair = pairs.next() {
            let decoded = PercentEncoding.decoded(pair.name, plusIsSpace: true)
            guard let name = decoded, let value = PercentEncoding.decoded(pair.value, plusIsSpace: true) else {
                let text = (decoded ?? Array(pair.name)).withUnsafeBytes { Shown.text($0) }
                let index = number(of: decoded)
                let shown = index.map { fields[$0].name } ?? text
                add(fault: shown, expected: "percent-encoded text", found: "malformed percent-encoding")
                // It is not missing as well.
                if let index { found[index] += 1 }
                continue
            }
            take(name, value)
        }
        for (index, field) in fields.enumerated() where faults.count < faultsMax {
            if found[index] > 0 {
                checkList(index, field)
                continue
            }
            if field.isRequired { add(fault: field.name, expected: field.element.description, found: "nothing") }
            for text in field.defaults { write(field.fieldName, text) }
        }
    }

    /// Checks a list as a whole; one of its values that is wrong was told of already.
    private mutating func checkList(_ index: Int, _ field: RouteParameter) {
        if faults.contains(where: { $0.name == field.name }) { return }
        guard let flaw = field.flaw(ofList: lists[index], count: found[index]) else { return }
        add(fault: field.name, expected: flaw.expected, found: flaw.found)
    }

    private mutating func take(_ name: [UInt8], _ value: [UInt8]) {
        guard let index = number(of: name) else {
            let text = name.withUnsafeBytes { Shown.text($0) }
            switch unknown {
            case .pass:
                if let hidden = checkedField(hiddenBy: name) {
                    return add(
                        fault: text, expected: "no field by the upstream's name of '\(hidden.name)'",
                        found: "an undeclared field")
                }
                write(name, value)
            case .drop: break
            case .reject:
                let near = Nearest.name(to: text, among: fields.map(\.name), editsMax: .max)
                faults.append(
                    Problem.Fault(
                        name: text, location: "body", expected: "one of " + fields.map(\.name).joined(separator: ", "),
                        found: "an undeclared field", hint: near.map { "did you mean '\($0)'?" }))
            }
            return
        }
        let field = fields[index]
        found[index] += 1
        if found[index] > 1, !field.isList {
            return add(fault: field.name, expected: "one \(field.element.description)", found: "\(found[index]) values")
        }
        guard value.withUnsafeBytes({ field.accepts($0) }) else {
            return add(
                fault: field.name, expected: field.element.description, found: value.withUnsafeBytes { field.shown($0) }
            )
        }
        if field.list?.isUnique == true { lists[index].append(value) }
        write(field.fieldName, value)
    }

    /// A list may have brackets behind its name, as in a query.
    private func number(of name: [UInt8]?) -> Int? {
        guard let name else { return nil }
        return fields.firstIndex { $0.nameBytes == name }
            ?? fields.firstIndex { $0.isList && name.elementsEqual($0.nameBytes + Array("[]".utf8)) }
    }

    /// The field to which the upstream could give an undeclared one's value: it would get round the field's check. Some
    /// programs read `a[]` and `a[0]` as `a`, too.
    private func checkedField(hiddenBy name: [UInt8]) -> RouteParameter? {
        let name = name.prefix { $0 != UInt8(ascii: "[") }
        return fields.first { $0.fieldName.elementsEqual(name) }
    }

    private mutating func add(fault name: String, expected: String, found: String) {
        faults.append(Problem.Fault(name: name, location: "body", expected: expected, found: found))
    }

    private mutating func write(_ name: [UInt8], _ value: [UInt8]) {
        if !encoded.isEmpty { encoded.append(UInt8(ascii: "&")) }
        encoded += PercentEncoding.encoded(name)
        encoded.append(UInt8(ascii: "="))
        encoded += PercentEncoding.encoded(value)
    }
}
