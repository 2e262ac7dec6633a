import CSIMD
import SluiceContract

/// The compiled program: flat arrays that refer to each other by number. All of it is trivial memory, so that the
/// machine reads it through plain pointers.
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

    // The same for what is plain (the kernel): one for each node, object and array.
    var walkNodes: UnsafeMutablePointer<sluice_json_node>
    var walkObjects: UnsafeMutablePointer<sluice_json_object>
    var walkArrays: UnsafeMutablePointer<sluice_json_array>
    /// Closed sets.
    var texts: UnsafeMutablePointer<sluice_json_text>
    /// New keys: an empty one, and one for each member.
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

/// What is expected of one value: by all extractions that look at it together.
struct Node {
    /// Done at the start and at the end of the value.
    var ops = TableRange()
    /// Kinds that are a fault for some extraction, and whose: ``Refusal/kind`` selects among them.
    var refused = KindSet()
    var refusals = TableRange()
    /// Checks on the text of a string or a number, none where any will do.
    var strings = TableRange()
    var numbers = TableRange()
    /// The least that has to be done about a string and a number.
    var stringCheck = ScalarCheck.none
    var numberCheck = ScalarCheck.none
    /// Whether the array around wants its elements to differ.
    var isUnique = false
    /// Whether something else may go out for some slice.
    var converts = false
    /// Table of the object's keys; negative where nothing inside is looked at.
    var object: Int32 = -1
    var array: Int32 = -1
    /// Instead of the object's table: which of several it is, is seen by its contents.
    var choice: Int32 = -1

    /// Nothing is looked at: only RFC 8259 has to be met.
    static let unwanted: Int32 = 0
}

/// How a scalar is checked.
enum ScalarCheck: UInt8 {
    /// Any will do.
    case none
    /// Nothing but `Int` is expected: up to 18 digits and no more prove it.
    case integer
    /// By the rules, or it is refused.
    case rules
}

/// A slice for which a kind of value is a fault.
struct Refusal {
    var kind: KindSet
    var slice: Int32
    /// Number in ``Plan/expectations``; negative where the kind means that the path leads nowhere, which is no fault.
    var expected: Int32
    /// Of `true` and `false`, the one that is as expected.
    var spared: Token.Word?
}

/// What happens to a slice at a value's start and end.
struct ValueOp {
    var slice: Int32
    var kind: Kind
    /// In ``PlanTables/parts``.
    var part: Int32 = -1

    enum Kind: UInt8 {
        /// The value is the slice.
        case capture
        /// The value is that of a field of an object that is put together.
        case part
        /// The value is an element of the slice.
        case collect
        /// The same, unless it is null: the path says that it may be absent.
        case collectUnlessNull
        /// The value is left out; the slice goes on after it.
        case leaveOut
        /// The value is kept in an object that the slice leaves keys out of.
        case keep
        /// Something else may go out instead of a string or a number.
        case convert

        /// Whether nothing but the object's keys has to do with it.
        var isEdit: Bool { self == .leaveOut || self == .keep }
    }
}

/// The keys of one object.
struct ObjectTable {
    var members = TableRange()
    /// Stands for every key that no member has.
    var other: Int32 = 0
    var hashStart: Int32 = 0
    var hashMask: UInt32 = 0
    /// 64 declared keys to a word.
    var seenWords: Int32 = 0
    var endings = TableRange()
    /// Bits of the first seen word that ``endings`` look at.
    var endingBits: UInt64 = 0
    /// Slices that leave keys of this object out.
    var leavingOut: UInt64 = 0
    /// Slices that put it together from its parts.
    var composing: UInt64 = 0
    /// The one slice that leaves keys out or renames them; negative where none or several do.
    var editor: Int32 = -1
    /// Whether there is one seen word, and not several slices have to do with keys of which one leaves some out.
    var isPlain: Bool { (leavingOut == 0 || editor >= 0) && isWalked }
    /// Whether the kernel's walk may open it.
    var isWalked: Bool { seenWords <= 1 && composing == 0 }
}

struct Member {
    /// In the plan's text, with a quote on either side.
    var key = TextRange()
    var node: Int32 = 0
    /// Bit in the seen words; negative for keys that may stand twice.
    var bit: Int32 = -1
    /// Slices for which the key may stand once: those that name it.
    var owners: UInt64 = 0
    /// Node of the value of a duplicate key: its meaning for the other slices, which do not name it.
    var again: Int32 = 0
    /// The bit where it is in the only word; else 0.
    var mask: UInt64 = 0
    /// Whether nothing has to be done at the key but to see that it stands once, and what ``walkAction`` says.
    var isWalked = true
    /// What the object's editor does with it (`sluice_json_action`).
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
        /// The key would pass by the name that another one is given.
        case collide

        /// Whether it is a fault.
        var isRefusal: Bool { self == .reject || self == .collide }
    }
}

/// Something to see to at an object's end where a key has not been seen.
struct ObjectEnding {
    var bit: Int32
    var slice: Int32
    var kind: Kind
    /// The quoted key; for `insert`, the whole member.
    var text = TextRange()
    /// Number in ``Plan/expectations``.
    var expected: Int32 = 0

    enum Kind: UInt8 {
        case required, insert, absent
        /// A part of an object that is put together, which has a default.
        case insertPart
    }
}

/// Objects of one value of which the contents say which it is, for all slices that look at it.
struct ChoiceTable {
    var choosers = TableRange()
    /// In ``PlanTables/chosen``: the first one's alternatives go by fastest.
    var tables = TableRange()
}

/// What tells the alternatives of some slices apart.
struct Chooser {
    /// The key whose value tells, without quotes; with a negative count, keys tell by being there.
    var key = TextRange()
    /// Values of the key, or keys.
    var ways = TableRange()
    /// How many alternatives there are, with the one for what is none of them, which is the first.
    var count: Int32
    var slices: UInt64
    /// What is looked for.
    var sought: Int32
}

struct Way {
    var text = TextRange()
    var form = Form.any
    var alternative: Int32

    /// How a value that tells is written.
    enum Form: UInt8 {
        case any, string
        /// A number or a truth value.
        case plain
    }
}

struct ArrayTable {
    /// Node of the elements.
    var element: Int32 = 0
    /// Elements wanted by index, in order.
    var indexed = TableRange()
    /// What arrays that end before the wanted index mean.
    var endings = TableRange()
    /// What is asked of the array as a whole.
    var rules = TableRange()
    /// What is collected from this array: its brackets open and close with it.
    var collectors = TableRange()
    /// Elements that are chosen.
    var candidates = TableRange()
    /// Whether all elements have one node, and nothing begins or ends with the array or between its elements.
    var isPlain: Bool { indexed.count == 0 && collectors.count == 0 && candidates.count == 0 }
}

struct IndexedElement {
    var index: Int
    var node: Int32
}

/// An element that is not there, because the array is shorter.
struct ElementEnding {
    var index: Int
    var slice: Int32
    /// Number in ``Plan/expectations``; negative where the slice is absent then, which is no fault.
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
    /// Number in ``Plan/valueLimits``; negative where no more is asked.
    var limit: Int32 = -1
    var conversion: Conversion?
}

/// What one extraction asks of an array at its end.
struct ArrayRule {
    var slice: Int32
    var expected: Int32
    /// Number in ``Plan/valueLimits``.
    var limit: Int32
}

extension PlanTables {
    /// The member of an object that a key names; the one for undeclared keys where it names none.
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
