package import CSIMD
public import SluiceContract

/// The push engine: chunks of a document go in, faults and verbatim runs of bytes come out, the same wherever the
/// document is cut. Between chunks it keeps a stack of the open containers and at most one cut token.
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

    /// - Parameter kernel: one that this machine can run; all of them give the same results.
    package init(_ plan: Plan, kernel: sluice_json_kernel) {
        self.plan = plan
        document = .allocate(capacity: 1)
        document.initialize(to: DocumentMachine(plan, kernel))
    }

    deinit {
        document.deinitialize(count: 1)
        document.deallocate()
    }

    /// Whether its plan is this one: then what it knows of keys and objects is of use.
    public func isMade(for plan: Plan) -> Bool { self.plan === plan }

    /// Makes ready for another document. In the steady state this allocates nothing.
    public func reset(_ plan: Plan) {
        let isSamePlan = plan === self.plan
        if !isSamePlan { self.plan = plan }
        document.pointee.reset(plan, isSamePlan: isSamePlan)
    }

    /// Members that go out in front of all others of the object that a slice is (`"total":3`): the slice's type puts
    /// it together. To be said between ``reset(_:)`` and the first byte of the document.
    public func lead(_ members: [UInt8], of slice: Int) {
        document.pointee.machine.emitter.lead = members
        document.pointee.machine.emitter.leadSlice = members.isEmpty ? -1 : slice
    }

    /// Takes the next bytes of the document. The ``pieces`` of the chunk before are forgotten.
    public func feed(_ chunk: UnsafeRawBufferPointer) {
        document.pointee.feed(chunk)
    }

    /// The document has ended. What is then still open is a syntax fault; what was not found is absent.
    public func finish() {
        document.pointee.finish()
    }

    /// Runs of bytes that came out of the last chunk, in order for each slice. They point into the chunk, the engine or
    /// the plan and are valid until the next ``feed(_:)`` or ``reset(_:)``. Once ``isFailed`` nothing may be made of
    /// them.
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

    /// Whether anything is wrong with the document or with any slice.
    public var isFailed: Bool { document.pointee.machine.checker.faults.failed != 0 }

    /// Whether this slice is not as declared, or the document is broken.
    public func isFailed(slice: Int) -> Bool {
        document.pointee.machine.checker.faults.failed & 1 << UInt64(slice) != 0
    }

    /// Whether all slices are whole, or proven absent, and as declared: the rest of the document cannot change them,
    /// except by being no JSON.
    public var isSatisfied: Bool {
        !isFailed && document.pointee.machine.emitter.slices.areSettled
    }

    /// Type faults, as many as the plan reports, in the order of the document, and a syntax fault if there is one.
    public var faults: [Problem.Fault] { document.pointee.machine.checker.faults.reported }

    /// The faults that spoil this slice, as many as the plan reports of it.
    public func faults(of slice: Int) -> [Problem.Fault] {
        let found = document.pointee.machine.checker.faults
        return zip(found.list, found.spoilt).filter { $0.1 & 1 << UInt64(slice) != 0 }.map(\.0)
    }

    /// Whether the document is broken: not JSON, or beyond a limit.
    public var failureIsSyntax: Bool { document.pointee.machine.checker.faults.isSyntax }

    /// The limit that the document is beyond, as the configuration calls it: `json-depth`. Nil where it is no JSON, or
    /// is not broken at all.
    public var exceededLimit: String? { document.pointee.machine.checker.faults.limit }

    /// Strings of this document that the open set they belong to does not have.
    public var driftCount: Int { document.pointee.machine.checker.driftCount }

    /// Whether no byte of a document has come: that is a syntax fault, and needs words of its own.
    public var isEmpty: Bool { document.pointee.isEmpty }

    /// How many objects of arrays were taken whole since the plan is this one: by their pattern, and by their template
    /// among them. Results are the same without; tests ask whether the fast paths are taken at all.
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
