internal import SluiceCache
internal import Glibc

/// What this gateway knows of all gateways' invalidations: one word for each counter of ``Epochs``, which changes with
/// each invalidation. A record in the shared tier names the words that it was stored under; where one has changed, the
/// record is void.
///
/// The words stand in one string on the server, behind the era's word: if the string is lost, a new era begins, and no
/// record of the old one is used. A number beside the string changes with every change, so that one short reply says
/// whether the known words are up to date. Used by one thread at a time.
final class SharedMarks: Sendable {
    /// The era, what is invalidated, what is marked stale, and both for everything at once.
    static let eraIndex = 0
    static let hardIndex = 1
    static let softIndex = 1 + Epochs.slotCount
    static let allIndex = 1 + 2 * Epochs.slotCount
    static let allSoftIndex = allIndex + 1
    static let wordCount = allSoftIndex + 1
    /// The words and the number behind them.
    static let keptCount = wordCount + 1

    // Initialised once and freed with the object.
    private nonisolated(unsafe) let words: UnsafeMutablePointer<UInt64>
    private let record: @Sendable (_ first: Int, _ words: UnsafeBufferPointer<UInt64>) -> Void

    /// - Parameters:
    ///   - words: the words of an earlier process, so that invalidations made since are noticed; all 0 if empty.
    ///   - record: called with words that have changed.
    init(
        words known: [UInt64] = [],
        record: @escaping @Sendable (_ first: Int, _ words: UnsafeBufferPointer<UInt64>) -> Void = { _, _ in }
    ) {
        words = .allocate(capacity: Self.keptCount)
        for index in 0..<Self.keptCount { (words + index).initialize(to: index < known.count ? known[index] : 0) }
        self.record = record
    }

    deinit { words.deallocate() }

    subscript(index: Int) -> UInt64 {
        get { words[index] }
        set {
            words[index] = newValue
            record(index...index)
        }
    }

    private func record(_ changed: ClosedRange<Int>) {
        record(changed.lowerBound, UnsafeBufferPointer(start: words + changed.lowerBound, count: changed.count))
    }

    var era: UInt64 { words[Self.eraIndex] }

    /// The number on the server when the words were read.
    var number: Int {
        get { Int(bitPattern: UInt(words[Self.wordCount])) }
        set { self[Self.wordCount] = UInt64(UInt(bitPattern: newValue)) }
    }

    /// Takes over the server's string.
    /// - Parameters:
    ///   - isFirst: whether changes since the words were last read are unknown.
    ///   - changed: called with every counter that has been counted up elsewhere.
    /// - Returns: words of invalidations that the server has lost with its era: some gateway may not have heard of
    ///   them, so they have to be sent again.
    func adopt(_ bytes: [UInt8], isFirst: Bool, changed: (UInt32) -> Void) -> [Int] {
        let count = min(Self.wordCount, bytes.count / 8)
        var isEverything = false
        var isNewEra = false
        var forgotten: [Int] = []
        var altered: ClosedRange<Int>?
        bytes.withUnsafeBytes { raw in
            for index in 0..<Self.wordCount {
                let bits = index < count ? raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) : 0
                let word = UInt64(littleEndian: bits)
                if word == words[index] { continue }
                // Also if the server has another word already: its gateway may not have heard of our invalidation.
                if isNewEra, words[index] != 0, Self.endsAnswers(index) { forgotten.append(index) }
                words[index] = word
                altered = (altered?.lowerBound ?? index)...index
                switch index {
                case Self.eraIndex:
                    isNewEra = true
                    isEverything = isFirst
                case Self.allIndex: isEverything = isEverything || word != 0
                case Self.hardIndex..<Self.softIndex where word != 0 || !isNewEra:
                    if !isEverything { changed(UInt32(index - Self.hardIndex)) }
                default: break
                }
            }
        }
        if isEverything { for slot in 0..<UInt32(Epochs.slotCount) { changed(slot) } }
        // After the counters: counting twice costs little, forgetting one would be wrong.
        if let altered { record(altered) }
        return forgotten
    }

    /// Whether a change of the word voids the answers that depend on it.
    private static func endsAnswers(_ index: Int) -> Bool {
        (hardIndex..<softIndex).contains(index) || index == allIndex
    }

    // MARK: - Records

    /// The words that `entry` is stored under.
    func marks(of entry: StoredResponse, _ secret: (UInt64, UInt64)) -> [TierRecord.Mark] {
        var indices = [Self.eraIndex, Self.allIndex, Self.allSoftIndex]
        indices += entry.dependencies.map { Self.hardIndex + Int($0.slot) }
        for slot in Self.slots(of: entry.label, secret) + [Self.slot(entry.key, secret)] {
            indices += [Self.hardIndex + Int(slot), Self.softIndex + Int(slot)]
        }
        return indices.map { TierRecord.Mark(slot: UInt32($0), value: words[$0]) }
    }

    enum Verdict {
        case good, stale, useless
    }

    /// Compares a record's words with the known ones.
    func judge(_ marks: [TierRecord.Mark]) -> Verdict {
        var verdict = Verdict.good
        var isOfEra = false
        for mark in marks {
            let index = Int(mark.slot)
            guard index < Self.wordCount else { return .useless }
            if index == Self.eraIndex { isOfEra = true }
            if words[index] == mark.value { continue }
            let isSoft = index == Self.allSoftIndex || (Self.softIndex..<Self.allIndex).contains(index)
            if !isSoft { return .useless }
            verdict = .stale
        }
        return isOfEra && era != 0 ? verdict : .useless
    }

    // MARK: - Purging

    /// Index of the word that a purge changes.
    static func index(_ request: PurgeRequest, _ secret: (UInt64, UInt64)) -> Int {
        let slot: UInt32
        if case .binding(let name) = request.selection {
            slot = Self.slot("binding", Array(name.utf8), secret)
        } else if case .tag(let tag) = request.selection {
            slot = Self.slot("tag", Array(tag.utf8), secret)
        } else if case .target(let target) = request.selection {
            slot = Self.slot("target", target, secret)
        } else if case .key(let key) = request.selection {
            slot = Self.slot(key, secret)
        } else if case .group(let name) = request.selection {
            slot = Self.slot("group", name, secret)
        } else {
            return request.isSoft ? allSoftIndex : allIndex
        }
        return (request.isSoft ? softIndex : hardIndex) + Int(slot)
    }

    /// Counters for the names of a response: its target, its binding and its tags.
    static func slots(of label: EntryLabel, _ secret: (UInt64, UInt64)) -> [UInt32] {
        var slots = [slot("target", label.target, secret)]
        if let source = label.source {
            slots.append(slot("binding", Array(source.binding.utf8), secret))
            slots += source.tags.map { slot("tag", Array($0.utf8), secret) }
        }
        return slots + label.groups.map { slot("group", $0, secret) }
    }

    private static func slot(_ kind: String, _ name: [UInt8], _ secret: (UInt64, UInt64)) -> UInt32 {
        var hash = SipHash(secret.1, secret.0)
        (Array(kind.utf8) + [0x20] + name).withUnsafeBytes { hash.combine($0) }
        return Epochs.slot(hash.finish().0)
    }

    private static func slot(_ key: CacheKey, _ secret: (UInt64, UInt64)) -> UInt32 {
        var hash = SipHash(secret.1, secret.0)
        hash.combine(key.high)
        hash.combine(key.low)
        return Epochs.slot(hash.finish().0)
    }
}
