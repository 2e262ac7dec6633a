import CSIMD
import SluiceContract

/// Array elements that are chosen by their place at the end (`[-1]`) or by a condition (`[?…]`): an extractor of its
/// own reads the bytes of the chosen element, and the value that it finds is emitted.
extension CandidateStore {
    /// An element of the innermost array has ended at `p`.
    @inline(never)
    mutating func endElement(
        _ array: TableRange, at p: BytePointer, _ tables: PlanTables, into emitter: inout SliceEmitter,
        _ checker: inout TypeChecker, _ frames: FrameStack
    ) {
        for number in array.indices where !isFound(number) {
            elementEnded(number, p)
            let candidate = tables.candidates[number]
            if candidate.condition < 0 {
                keep(number)
                continue
            }
            let element = current(number)
            if element.isTooLarge || isWanted(candidate.condition, element) {
                found(number)
                take(element, candidate, into: &emitter, &checker, frames)
            }
        }
    }

    /// The innermost array ends at `p`.
    @inline(never)
    mutating func endArray(
        _ array: TableRange, at p: BytePointer, _ tables: PlanTables, into emitter: inout SliceEmitter,
        _ checker: inout TypeChecker, _ frames: FrameStack
    ) {
        if frames.top.pointee.count >= 0 { endElement(array, at: p, tables, into: &emitter, &checker, frames) }
        for number in array.indices {
            let candidate = tables.candidates[number]
            if let element = kept(number) {
                take(element, candidate, into: &emitter, &checker, frames)
            } else if !isFound(number) {
                Self.missing(candidate, in: &emitter, &checker, frames)
            }
            close(number)
        }
    }

    /// No element of the array is chosen.
    private static func missing(
        _ candidate: CandidateTable, in emitter: inout SliceEmitter, _ checker: inout TypeChecker, _ frames: FrameStack
    ) {
        if candidate.expected >= 0 {
            checker.report(
                Int(candidate.slice), candidate.expected, "an array without it", frames.top.pointee.offset, frames,
                depth: frames.count - 1, reason: .missing)
        } else if candidate.part < 0, !candidate.isCollected {
            emitter.markAbsent(1 << UInt64(candidate.slice))
        }
    }

    /// The element is the chosen one: extracts the rest of the path from it and emits that value.
    private mutating func take(
        _ element: Element, _ candidate: CandidateTable, into emitter: inout SliceEmitter,
        _ checker: inout TypeChecker, _ frames: FrameStack
    ) {
        if element.isTooLarge {
            Self.settle(candidate, checker.tables, frames)
            return checker.report(
                Int(candidate.slice), candidate.tooLarge, "a larger one", element.offset, frames,
                hint: "'limits: json-choice' says how large an element may be that is chosen")
        }
        let (extractor, plan) = tail(candidate.tail)
        extractor.reset(plan)
        if emitter.leadSlice == Int(candidate.slice), candidate.part < 0, !candidate.isCollected {
            extractor.lead(emitter.lead, of: 0)
            emitter.leadSlice = -1
        }
        var found: [UInt8] = []
        if candidate.isCollected { extractor.feed([UInt8(ascii: "[")], into: &found) }
        extractor.feed(element.bytes, into: &found)
        if candidate.isCollected { extractor.feed([UInt8(ascii: "]")], into: &found) }
        extractor.clearPieces()
        extractor.finish()
        found.append(pieces: extractor.pieces)
        checker.driftCount += extractor.driftCount
        if extractor.isFailed { return Self.refuse(extractor, element, candidate, &checker, frames) }
        if extractor.state(of: 0) == .complete {
            emitter.emit(candidate.isCollected ? found.dropFirst().dropLast() : found[...], for: candidate, frames)
        } else if candidate.part < 0, !candidate.isCollected {
            emitter.markAbsent(1 << UInt64(candidate.slice))
        }
    }

    /// A part whose element has a fault is not missing as well.
    private static func settle(_ candidate: CandidateTable, _ tables: PlanTables, _ frames: FrameStack) {
        if candidate.part < 0 || candidate.isCollected { return }
        frames.markPart(candidate.part, of: Int(candidate.slice), tables)
    }

    /// The element is not of its type: reports its faults with their paths and offsets in the whole document.
    private static func refuse(
        _ extractor: Extractor, _ element: Element, _ candidate: CandidateTable, _ checker: inout TypeChecker,
        _ frames: FrameStack
    ) {
        let slice = Int(candidate.slice)
        checker.faults.markFailed(slice)
        settle(candidate, checker.tables, frames)
        let name = checker.path(frames, through: frames.count)
        // The path without keys that are data; nil if there are no such keys.
        let place = checker.place(frames, through: frames.count)
        // The tail's paths begin with `$`, or with `$[0]` if the element was wrapped in an array of one.
        let rootCount = candidate.isCollected ? 4 : 1
        for fault in extractor.faults {
            let hasData = place != nil || fault.place != nil
            checker.faults.add(
                slice, name + fault.name.dropFirst(rootCount), fault.expected, fault.found,
                (fault.offset ?? 0) + element.offset - (candidate.isCollected ? 1 : 0), hint: fault.hint,
                place: hasData ? (place ?? name) + (fault.place ?? fault.name).dropFirst(rootCount) : nil,
                reason: fault.reason)
        }
    }
}

extension Extractor {
    fileprivate func feed(_ bytes: [UInt8], into found: inout [UInt8]) {
        bytes.withUnsafeBytes { feed($0, into: &found) }
    }

    fileprivate func feed(_ bytes: UnsafeRawBufferPointer, into found: inout [UInt8]) {
        feed(bytes)
        found.append(pieces: pieces)
    }
}
