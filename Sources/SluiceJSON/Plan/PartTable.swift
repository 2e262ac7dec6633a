/// What a slice, or a part of it, collects from an array.
struct Collector {
    var slice: Int32
    /// In ``PlanTables/parts``; negative where it is the slice itself.
    var part: Int32
}

/// A field of an object that is put together.
struct PartTable {
    /// The quoted key and a colon.
    var text: TextRange
    /// Bit in the seen words of the object.
    var bit: Int32
}

/// An element of an array that is known once others have been looked at. Its bytes are held, and gone over by a plan of
/// its own.
struct CandidateTable {
    var slice: Int32
    /// In ``PlanTables/parts``; negative where the slice itself goes on behind it.
    var part: Int32
    /// In ``Plan/conditions``; negative is the last element.
    var condition: Int32
    /// In ``Plan/tails``: what is wanted of it.
    var tail: Int32
    /// Whether it lies below a `*`. The tail then reads an array with this one element.
    var isCollected: Bool
    /// What is expected where there is none, as a number in ``Plan/expectations``; negative where that is no fault.
    var expected: Int32
    /// What is expected of an element that is too large.
    var tooLarge: Int32
}
