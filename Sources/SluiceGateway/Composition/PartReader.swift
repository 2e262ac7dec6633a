internal import SluiceContract
internal import SluiceJSON

/// Cuts values out of JSON that is already proven: the answer of a part, or an element of it.
struct PartReader {
    private let slices: PartSlices
    private let loop: LoopContext

    init(_ slices: PartSlices, _ loop: LoopContext) {
        self.slices = slices
        self.loop = loop
    }

    func read(_ runs: [[UInt8]]) -> [PartValue] {
        var values = [[UInt8]](repeating: [], count: slices.count)
        for pass in slices.passes { read(runs, pass, into: &values) }
        return values.map { PartValue($0) }
    }

    private func read(_ runs: [[UInt8]], _ pass: PartSlices.Pass, into values: inout [[UInt8]]) {
        let extractor = loop.takeExtractor(pass.plan)
        func take() {
            for piece in extractor.pieces {
                let bytes = UnsafeRawBufferPointer(start: piece.base, count: piece.count)
                values[pass.slices.lowerBound + piece.slice].append(contentsOf: bytes)
            }
            extractor.clearPieces()
        }
        for run in runs {
            run.withUnsafeBytes {
                extractor.feed($0)
                take()
            }
        }
        extractor.finish()
        take()
        for (slice, index) in pass.slices.enumerated()
        where extractor.isFailed(slice: slice) || extractor.state(of: slice) != .complete {
            values[index] = []
        }
        loop.giveBack(extractor)
    }
}

/// A value that requests for other parts are made of: as JSON, and split into elements where it is an array.
struct PartValue {
    /// Empty where it is absent.
    let json: [UInt8]
    /// The elements of an array, or the value itself; none of null.
    let items: [[UInt8]]

    init(_ json: [UInt8]) {
        self.json = json
        items = Self.items(of: json)
    }

    /// The value as it is sent in a body; null where it is absent.
    var body: [UInt8] { json.isEmpty ? Array("null".utf8) : json }

    /// The text of a string, number or truth value; of an array, that of each element. None of null.
    var texts: [[UInt8]] { items.compactMap(Self.text) }

    /// An array, or nothing at all.
    var isList: Bool { items.isEmpty || Self.trimmed(json[...]).first == UInt8(ascii: "[") }

    private static func text(_ json: [UInt8]) -> [UInt8]? {
        JSONPick.text(of: String(decoding: json, as: UTF8.self)).map { Array($0.utf8) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func trimmed(_ json: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var json = json.drop(while: isSpace)
        while let last = json.last, isSpace(last) { json.removeLast() }
        return json
    }

    /// It has been proven to be JSON.
    private static func items(of json: [UInt8]) -> [[UInt8]] {
        let value = trimmed(json[...])
        guard value.first == UInt8(ascii: "[") else {
            return value.isEmpty || value.elementsEqual("null".utf8) ? [] : [Array(value)]
        }
        var items: [[UInt8]] = []
        var start = value.startIndex + 1
        var depth = 0
        var index = start
        func add(_ end: Int) {
            let item = trimmed(value[start..<end])
            if !item.isEmpty { items.append(Array(item)) }
        }
        while index < value.endIndex {
            switch value[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < value.endIndex, value[index] != UInt8(ascii: "\"") {
                    index += value[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "]") where depth == 0:
                add(index)
                return items
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                add(index)
                start = index + 1
            default: break
            }
            index += 1
        }
        return items
    }
}
