package import CSIMD
public import SluiceContract

/// The push engine: chunks of a document go in, faults and verbatim runs of bytes come out. The result does not depend
/// on where the document is cut into chunks. Between chunks the engine keeps a stack of the open containers and at most
/// one cut token.
///
/// One instance per fetch, reusable; explicitly not Sendable.
public final class Extractor {
    /// A run of bytes of one slice.
    public struct Piece: BitwiseCopyable {
        /// Number of the extraction in the plan.
        public var slice: Int
        public var base: UnsafeRawPointer
        public var count: Int
    }

    private var plan: Plan
    private let document: UnsafeMutablePointer<DocumentMachine>

    public convenience init(_ plan: Plan) {
        self.init(plan, kernel: .preferred)
    }

    /// - Parameter kernel: one that this machine can run; all kernels give the same results.
    package init(_ plan: Plan, kernel: sluice_json_kernel) {
        self.plan = plan
        document = .allocate(capacity: 1)
        document.initialize(to: DocumentMachine(plan, kernel))
    }

    deinit {
        document.deinitialize(count: 1)
        document.deallocate()
    }

    /// Whether the extractor uses this plan: then its cache of keys and objects is of use.
    public func isMade(for plan: Plan) -> Bool { self.plan === plan }

    /// Prepares for another document. In the steady state this allocates nothing.
    public func reset(_ plan: Plan) {
        let isSamePlan = plan === self.plan
        if !isSamePlan { self.plan = plan }
        document.pointee.reset(plan, isSamePlan: isSamePlan)
    }

    /// Members (`"total":3`) to emit before all others of the slice, which has to be an object that its type composes
    /// of parts. To be called between ``reset(_:)`` and the first byte of the document.
    public func lead(_ members: [UInt8], of slice: Int) {
        document.pointee.machine.emitter.lead = members
        document.pointee.machine.emitter.leadSlice = members.isEmpty ? -1 : slice
    }

    /// Takes the next bytes of the document. The ``pieces`` of the previous chunk become invalid.
    public func feed(_ chunk: UnsafeRawBufferPointer) {
        document.pointee.feed(chunk)
    }

    /// Ends the document. If it is incomplete, that is a syntax fault; slices that were not found are absent.
    public func finish() {
        document.pointee.finish()
    }

    /// Runs of bytes extracted from the last chunk, in order for each slice. They point into the chunk, the engine or
    /// the plan and are valid until the next ``feed(_:)`` or ``reset(_:)``. Once ``isFailed`` is true they must not be
    /// used.
    public var pieces: UnsafeBufferPointer<Piece> {
        let list = document.pointee.machine.emitter.pieces
        return UnsafeBufferPointer(start: list.base.map { UnsafePointer($0) }, count: list.count)
    }

    public func clearPieces() {
        document.pointee.machine.emitter.pieces.removeAll()
        document.pointee.machine.emitter.pieces.trim()
    }

    public func state(of slice: Int) -> SliceState {
        precondition(slice < document.pointee.machine.emitter.slices.count, "no such slice")
        return document.pointee.machine.emitter.slices.base[slice].state
    }

    /// Whether the document is broken or any slice is not of its type.
    public var isFailed: Bool { document.pointee.machine.checker.faults.failed != 0 }

    /// Whether this slice is not of its type, or the document is broken.
    public func isFailed(slice: Int) -> Bool {
        document.pointee.machine.checker.faults.failed & 1 << UInt64(slice) != 0
    }

    /// Whether every slice is either complete and of its type, or proven absent: the rest of the document can change
    /// that only by not being JSON.
    public var isSatisfied: Bool {
        !isFailed && document.pointee.machine.emitter.slices.areSettled
    }

    /// Type faults in document order, as many as the plan reports, and the syntax fault if there is one.
    public var faults: [Problem.Fault] { document.pointee.machine.checker.faults.reported }

    /// The faults of this slice, as many as the plan reports for each.
    public func faults(of slice: Int) -> [Problem.Fault] {
        let found = document.pointee.machine.checker.faults
        return zip(found.list, found.spoilt).filter { $0.1 & 1 << UInt64(slice) != 0 }.map(\.0)
    }

    /// Whether the document is broken: not JSON, or beyond a limit.
    public var failureIsSyntax: Bool { document.pointee.machine.checker.faults.isSyntax }

    /// The limit that the document exceeds, by its name in the configuration: `json-depth`. Nil if the document is not
    /// JSON, or is not broken at all.
    public var exceededLimit: String? { document.pointee.machine.checker.faults.limit }

    /// How many strings of this document are not among the known values of their open set.
    public var driftCount: Int { document.pointee.machine.checker.driftCount }

    /// Whether no byte of a document has been fed: a syntax fault that gets a message of its own.
    public var isEmpty: Bool { document.pointee.isEmpty }

    /// How many objects in arrays were taken whole with this plan: all that matched a pattern, and those of them that
    /// matched its template. It does not affect results; tests check that the fast paths are taken at all.
    var objectsTakenWhole: (byPattern: Int, byTemplate: Int) {
        var taken = (byPattern: 0, byTemplate: 0)
        let patterns = document.pointee.machine.keyCache.patterns
        for number in 0..<max(plan.objectCount, 1) * SLUICE_JSON_SHAPES where patterns[number].count > 0 {
            let pattern = patterns + number
            taken.byPattern += Int(pattern.pointee.uses)
            guard document.pointee.machine.kernel.has_templates, pattern.pointee.template.count > 0 else { continue }
            taken.byTemplate += Int(
                pattern.pointee.uses - pattern.pointee.template.since - pattern.pointee.template.misses)
        }
        return taken
    }
}
