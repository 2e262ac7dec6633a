internal import SluiceContract

extension RequestToSign {
    /// The part of the target before the `?`.
    var path: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: target[..<pathEnd]) }

    /// The part of the target after the `?`; empty where there is none.
    var query: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: target[min(pathEnd + 1, target.count)...])
    }

    private var pathEnd: Int { target.firstIndex(of: UInt8(ascii: "?")) ?? target.count }
}

extension RequestToSign.Field {
    /// Whether the field has this name, which has to be in lower case.
    func isNamed(_ lowercase: [UInt8]) -> Bool {
        name.count == lowercase.count && zip(name, lowercase).allSatisfy { $0.lowercased == $1 }
    }
}

extension UInt8 {
    var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}
