/// Collects elements of an array for a slice, or for a part of it.
struct Collector {
    var slice: Int32
    /// Number in ``PlanTables/parts``; negative if the slice itself collects.
    var part: Int32
}

/// A field of a composed object.
struct PartTable {
    /// The quoted key and a colon.
    var text: TextRange
    /// Bit in the seen words of the object.
    var bit: Int32
}

/// An array element that is chosen (`[-1]`, `[?…]`). Its bytes are held, and read with a plan of their own.
struct CandidateTable {
    var slice: Int32
    /// Number in ``PlanTables/parts``; negative if the path is that of the slice itself.
    var part: Int32
    /// Number in ``Plan/conditions``; negative means the last element.
    var condition: Int32
    /// Number in ``Plan/tails``: the plan for the rest of the path.
    var tail: Int32
    /// Whether the element is below a `*`. The tail then reads an array of this one element.
    var isCollected: Bool
    /// What is expected if no element is chosen, as a number in ``Plan/expectations``; negative if that is no fault.
    var expected: Int32
    /// What is expected of an element that is too large.
    var tooLarge: Int32
}
