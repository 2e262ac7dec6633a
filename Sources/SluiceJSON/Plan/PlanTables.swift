import CSIMD
import SluiceContract

/// The compiled program: flat arrays that refer to each other by number. All elements are trivial, so that the machine
/// reads them through plain pointers.
struct PlanTables {
    var nodes: UnsafeMutablePointer<Node>
    var objects: UnsafeMutablePointer<ObjectTable>
    var members: UnsafeMutablePointer<Member>
    var arrays: UnsafeMutablePointer<ArrayTable>
    var elements: UnsafeMutablePointer<IndexedElement>
    var elementEndings: UnsafeMutablePointer<ElementEnding>
    var parts: UnsafeMutablePointer<PartTable>
    var collectors: UnsafeMutablePointer<Collector>
    var candidates: UnsafeMutablePointer<CandidateTable>
    var arrayRules: UnsafeMutablePointer<ArrayRule>
    var choices: UnsafeMutablePointer<ChoiceTable>
    var choosers: UnsafeMutablePointer<Chooser>
    var ways: UnsafeMutablePointer<Way>
    /// Object tables of choices.
    var chosen: UnsafeMutablePointer<Int32>
    var hashSlots: UnsafeMutablePointer<Int32>
    var endings: UnsafeMutablePointer<ObjectEnding>
    var actions: UnsafeMutablePointer<KeyAction>
    var valueOps: UnsafeMutablePointer<ValueOp>
    var refusals: UnsafeMutablePointer<Refusal>
    var rules: UnsafeMutablePointer<CheckRule>
    var alternatives: UnsafeMutablePointer<CheckAlternative>
    var literals: UnsafeMutablePointer<TextRange>
    /// Keys, literals and emitted text.
    var text: UnsafeMutablePointer<UInt8>

    // The tables of the kernel's walk: one entry for each node, object and array.
    var walkNodes: UnsafeMutablePointer<sluice_json_node>
    var walkObjects: UnsafeMutablePointer<sluice_json_object>
    var walkArrays: UnsafeMutablePointer<sluice_json_array>
    /// Closed sets.
    var texts: UnsafeMutablePointer<sluice_json_text>
    /// Names that keys are renamed to: an empty one, and one for each member.
    var names: UnsafeMutablePointer<sluice_json_name>
    var walkChoices: UnsafeMutablePointer<sluice_json_choice>
    var walkWays: UnsafeMutablePointer<sluice_json_way>
}

/// Part of one of the plan's arrays.
struct TableRange {
    var start: Int32 = 0
    var count: Int32 = 0
    var indices: Range<Int> { Int(start)..<Int(start &+ count) }
}

/// Part of the plan's text.
struct TextRange {
    var start: Int32 = 0
    var count: Int32 = 0
}

/// Kinds of JSON value, as bits.
struct KindSet: OptionSet {
    var rawValue: UInt8
    static let string = KindSet(rawValue: 1)
    static let number = KindSet(rawValue: 2)
    static let object = KindSet(rawValue: 4)
    static let array = KindSet(rawValue: 8)
    static let bool = KindSet(rawValue: 16)
    static let null = KindSet(rawValue: 32)
    static let all: [KindSet] = [.string, .number, .object, .array, .bool, .null]
}

/// What all extractions together expect of one value.
struct Node {
    /// Operations at the start and at the end of the value.
    var ops = TableRange()
    /// Kinds that some extraction refuses, and the refusals, from which ``Refusal/kind`` selects.
    var refused = KindSet()
    var refusals = TableRange()
    /// Checks on the text of a string or a number; none if any will do.
    var strings = TableRange()
    var numbers = TableRange()
    /// The least check that a string or a number needs.
    var stringCheck = ScalarCheck.none
    var numberCheck = ScalarCheck.none
    /// Whether the value is in an array whose elements have to differ.
    var isUnique = false
    /// Whether some slice may emit a converted form.
    var converts = false
    /// Table of the object's keys; negative if the inside is skipped.
    var object: Int32 = -1
    var array: Int32 = -1
    /// Instead of `object`: the choice by which the contents tell which of several objects it is.
    var choice: Int32 = -1

    /// The node of values that only have to meet RFC 8259.
    static let unwanted: Int32 = 0
}

/// How a scalar is checked.
enum ScalarCheck: UInt8 {
    /// Any scalar will do.
    case none
    /// Only `Int` is expected: any integer of up to 18 digits is one.
    case integer
    /// The rules have to be checked, or the kind is refused.
    case rules
}

/// A slice for which a kind of value is a fault.
struct Refusal {
    var kind: KindSet
    var slice: Int32
    /// Number in ``Plan/expectations``; negative if the kind means that the path leads nowhere, which is no fault.
    var expected: Int32
    /// The one of `true` and `false` that is accepted, if only one is.
    var spared: Token.Word?
    /// Number in ``PlanTables/parts``, if it is a part's path that leads nowhere; else negative.
    var part: Int32 = -1
}

/// What happens to a slice at a value's start and end.
struct ValueOp {
    var slice: Int32
    var kind: Kind
    /// Number in ``PlanTables/parts``.
    var part: Int32 = -1

    enum Kind: UInt8 {
        /// The value is the slice.
        case capture
        /// The value is that of a field of a composed object.
        case part
        /// The value is an element of the slice.
        case collect
        /// As `collect`, unless the value is null: the path marks it as optional.
        case collectUnlessNull
        /// The value is left out; the slice continues after it.
        case leaveOut
        /// The value is kept in an object that the slice leaves keys out of.
        case keep
        /// The slice may emit a converted form of a string or a number.
        case convert

        /// Whether the operation only leaves out or keeps members of an object.
        var isEdit: Bool { self == .leaveOut || self == .keep }
    }
}

/// The keys of one object.
struct ObjectTable {
    var members = TableRange()
    /// The member that stands for all undeclared keys.
    var other: Int32 = 0
    var hashStart: Int32 = 0
    var hashMask: UInt32 = 0
    /// Words of seen bits, with 64 declared keys to a word.
    var seenWords: Int32 = 0
    var endings = TableRange()
    /// Bits of the first seen word that ``endings`` check.
    var endingBits: UInt64 = 0
    /// Slices that leave keys of this object out.
    var leavingOut: UInt64 = 0
    /// Slices that compose the object from its parts.
    var composing: UInt64 = 0
    /// The one slice that leaves keys out or renames them; negative if none or several do.
    var editor: Int32 = -1
    /// Whether the walk may open the object, and no slice leaves keys out unless it is the only editor.
    var isPlain: Bool { (leavingOut == 0 || editor >= 0) && isWalked }
    /// Whether the kernel's walk may open the object.
    var isWalked: Bool { seenWords <= 1 && composing == 0 }
}

struct Member {
    /// The key in the plan's text, with quotes.
    var key = TextRange()
    var node: Int32 = 0
    /// Bit in the seen words; negative for keys that may be duplicates.
    var bit: Int32 = -1
    /// Slices that fail if the key is there twice.
    var owners: UInt64 = 0
    /// Node of the value of a duplicate key: its meaning for the other slices, which do not name it.
    var again: Int32 = 0
    /// The bit as a mask if there is only one seen word; else 0.
    var mask: UInt64 = 0
    /// Whether the walk may take the key: nothing has to be done but to find duplicates and to carry out
    /// ``walkAction``.
    var isWalked = true
    /// What the object's editor does with the key (`sluice_json_action`).
    var walkAction: UInt8 = 0
    var actions = TableRange()
}

/// What happens to a slice at a key.
struct KeyAction {
    var slice: Int32
    var kind: Kind
    /// The quoted new key.
    var text = TextRange()

    enum Kind: UInt8 {
        case pass, rename, leaveOut, reject
        /// The key has the name that another key is renamed to.
        case collide

        /// Whether the key is a fault.
        var isRefusal: Bool { self == .reject || self == .collide }
    }
}

/// What to do at an object's end if a key is missing.
struct ObjectEnding {
    var bit: Int32
    var slice: Int32
    var kind: Kind
    /// For `insert` and `insertPart`, the whole member.
    var text = TextRange()
    /// Number in ``Plan/expectations``.
    var expected: Int32 = 0

    enum Kind: UInt8 {
        case required, insert, absent
        /// Inserts the default of a part of a composed object.
        case insertPart
    }
}

/// The alternatives of a value whose contents tell which object it is, for all slices together.
struct ChoiceTable {
    var choosers = TableRange()
    /// Range in ``PlanTables/chosen``, in which the alternatives of the first chooser vary fastest.
    var tables = TableRange()
}

/// How the alternatives of some slices are told apart.
struct Chooser {
    /// The key whose value tells, without quotes; if the count is negative, the presence of keys tells.
    var key = TextRange()
    /// The values of the key, or the keys, that tell.
    var ways = TableRange()
    /// The number of alternatives, of which the first is for objects that match none.
    var count: Int32
    var slices: UInt64
    /// What is looked for, as a number in ``Plan/expectations``.
    var sought: Int32
}

struct Way {
    var text = TextRange()
    var form = Form.any
    var alternative: Int32

    /// How a value that tells is written.
    enum Form: UInt8 {
        case any, string
        /// A number or a bool.
        case plain
    }
}

struct ArrayTable {
    /// Node of the elements.
    var element: Int32 = 0
    /// Elements wanted by index, in order.
    var indexed = TableRange()
    /// What to do if the array ends before a wanted index.
    var endings = TableRange()
    /// Constraints on the array as a whole.
    var rules = TableRange()
    /// Collected arrays that begin and end with this array.
    var collectors = TableRange()
    /// Elements that may be chosen.
    var candidates = TableRange()
    /// Whether all elements have one node, and nothing begins or ends with the array or between its elements.
    var isPlain: Bool { indexed.count == 0 && collectors.count == 0 && candidates.count == 0 }
}

struct IndexedElement {
    var index: Int
    var node: Int32
}

/// What to do if an array is too short to have an element.
struct ElementEnding {
    var index: Int
    var slice: Int32
    /// Number in ``Plan/expectations``; negative if the slice is then absent, which is no fault.
    var expected: Int32
}

/// One extraction's check of a scalar.
struct CheckRule {
    var slice: Int32
    var expected: Int32
    var alternatives = TableRange()
}

struct CheckAlternative {
    var grammar: ScalarGrammar
    var literals = TableRange()
    /// Number in ``Plan/valueLimits``; negative if there is no constraint.
    var limit: Int32 = -1
    var conversion: Conversion?
}

/// One extraction's constraint on an array, checked at its end.
struct ArrayRule {
    var slice: Int32
    var expected: Int32
    /// Number in ``Plan/valueLimits``.
    var limit: Int32
}

extension PlanTables {
    /// The member of an object for a key; for an undeclared key, the object's member for those.
    func lookUp(_ name: BytePointer, _ count: Int, in table: Int32) -> Int32 {
        let object = objects + Int(table)
        guard object.pointee.members.count > 0 else { return object.pointee.other }
        let mask = object.pointee.hashMask
        var slot = KeyHash.of(name, count) & mask
        while true {
            let member = hashSlots[Int(object.pointee.hashStart) &+ Int(slot)]
            if member < 0 { return object.pointee.other }
            let key = members[Int(member)].key
            if Int(key.count) == count &+ 2, sluice_json_same(name, text + Int(key.start) + 1, count) {
                return member
            }
            slot = (slot &+ 1) & mask
        }
    }
}
