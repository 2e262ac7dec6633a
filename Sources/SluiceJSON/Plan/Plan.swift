public import SluiceContract

/// The compiled, immutable program for one group of bindings: several extractions, each with its own type, in one pass
/// over one document. A plan is made at load and shared by all loops.
public final class Plan: @unchecked Sendable {  // what its tables point to never changes after init
    public let extractions: [Extraction]
    public let limits: JSONLimits
    /// How many type faults are reported for a slice, and for a document as a whole; a syntax fault is reported in
    /// addition.
    public let reportCount: Int
    /// Whether faults are ignored once every slice is complete or proven absent.
    public let endsEarly: Bool

    let tables: PlanTables
    let root: Int32
    /// What faults say was expected.
    let expectations: [String]
    /// Constraints of scalars and arrays.
    let valueLimits: [ValueLimit]
    /// Plans for the rest of the path behind chosen elements, and the conditions by which these are chosen.
    let tails: [Plan]
    let conditions: [ElementCondition]
    /// The number of members of all objects together.
    let memberCount: Int
    let objectCount: Int
    let candidateCount: Int
    /// Whether some slice leaves keys out.
    let leavesOut: Bool

    /// - Parameters:
    ///   - extractions: at most 64; slices are numbered in this order.
    ///   - types: the definitions of the names in the extractions' types.
    ///   - reportCount: how many type faults are reported for a slice, and for a document as a whole.
    ///   - endsEarly: whether faults behind the last slice are ignored.
    ///   - deciding: slices that decide whether the others count. A duplicate key that leads to one is a fault of all
    ///     slices: which one the upstream means is unknown.
    public convenience init(
        _ extractions: [Extraction], types: NamedTypes, limits: JSONLimits = JSONLimits(), reportCount: Int = 10,
        endsEarly: Bool = false, deciding: Range<Int> = 0..<0
    ) throws(PlanError) {
        try self.init(
            extractions, types, limits, reportCount: reportCount, endsEarly: endsEarly, deciding: deciding, depth: 0)
    }

    /// - Parameter depth: how many plans this one is nested in as a tail.
    init(
        _ extractions: [Extraction], _ types: NamedTypes, _ limits: JSONLimits, reportCount: Int, endsEarly: Bool,
        deciding: Range<Int> = 0..<0, depth: Int
    ) throws(PlanError) {
        var compiler = try PlanCompiler(
            extractions, types, PlanCompiler.Tails(limits, reportCount, depth), deciding: deciding)
        root = try compiler.compile()
        self.extractions = extractions
        self.limits = limits
        self.reportCount = reportCount
        self.endsEarly = endsEarly
        expectations = compiler.builder.expectations
        valueLimits = compiler.builder.valueLimits
        tails = compiler.tails.plans
        conditions = compiler.tails.conditions
        memberCount = compiler.builder.members.count
        objectCount = compiler.builder.objects.count
        candidateCount = compiler.builder.candidates.count
        leavesOut = compiler.builder.objects.contains { $0.leavingOut != 0 }
        tables = compiler.builder.tables()
    }

    /// As above, with types that no other plan uses.
    public convenience init(
        _ extractions: [Extraction], types: [TypeDefinition], limits: JSONLimits = JSONLimits(), reportCount: Int = 10,
        endsEarly: Bool = false
    ) throws(PlanError) {
        try self.init(
            extractions, types: NamedTypes(types), limits: limits, reportCount: reportCount, endsEarly: endsEarly)
    }

    /// A plan without extractions: the document only has to be JSON.
    init(anyWithin limits: JSONLimits) {
        extractions = []
        self.limits = limits
        reportCount = 0
        endsEarly = false
        root = Node.unwanted
        expectations = []
        valueLimits = []
        tails = []
        conditions = []
        memberCount = 0
        objectCount = 0
        candidateCount = 0
        leavesOut = false
        tables = PlanBuilder().tables()
    }

    deinit {
        tables.deallocate()
    }
}
