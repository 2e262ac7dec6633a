"""Many faults in one build: each is written beside what it replaces, and a number in the environment chooses one."""

import re
import shutil

PRECEDENCE = {
    "bound": "Comparison", "equality": "Comparison", "and-or": None, "range": "RangeFormation", "shift": "BitwiseShift",
}

# What every module with faults in it has: which one is at work, and which have been come by.
SWIFT = """\
import Glibc

private let active = getenv("SLUICE_FAULT").map { Int(atoi($0)) } ?? -1
nonisolated(unsafe) private let reached: UnsafeMutablePointer<Bool>? = {
    guard getenv("SLUICE_FAULTS_REACHED") != nil else { return nil }
    let cells = UnsafeMutablePointer<Bool>.allocate(capacity: COUNT)
    cells.initialize(repeating: false, count: COUNT)
    return cells
}()

@usableFromInline @inline(never) func faultIsOn(_ number: Int) -> Bool {
    if let reached, !reached[number] {
        reached[number] = true
        let file = open(getenv("SLUICE_FAULTS_REACHED"), O_WRONLY | O_APPEND | O_CREAT, 0o600)
        var line = "\\(number)\\n"
        _ = line.withUTF8 { write(file, $0.baseAddress, $0.count) }
        close(file)
    }
    return number == active
}
@usableFromInline func faultTruth(_ number: Int, _ value: Bool) -> Bool { faultIsOn(number) ? !value : value }
@usableFromInline func faultConstant<T: ExpressibleByIntegerLiteral>(_ number: Int, _ one: T, _ other: T) -> T {
    faultIsOn(number) ? other : one
}
@usableFromInline func faultLeast<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T {
    faultIsOn(number) ? max(a, b) : min(a, b)
}
@usableFromInline func faultMost<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T {
    faultIsOn(number) ? min(a, b) : max(a, b)
}
extension Sequence {
    @usableFromInline func faultContains(_ number: Int, where test: (Element) throws -> Bool) rethrows -> Bool {
        try faultIsOn(number) ? allSatisfy(test) : contains(where: test)
    }
    @usableFromInline func faultAllSatisfy(_ number: Int, where test: (Element) throws -> Bool) rethrows -> Bool {
        try faultIsOn(number) ? contains(where: test) : allSatisfy(test)
    }
}
extension BidirectionalCollection {
    @usableFromInline func faultFirst(_ number: Int) -> Element? { faultIsOn(number) ? last : first }
    @usableFromInline func faultLast(_ number: Int) -> Element? { faultIsOn(number) ? first : last }
}
"""

C = """\
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int sluice_fault_is_on(int number);
static int active = -1;
static const char *reached_path;
static char reached[COUNT];
__attribute__((constructor)) static void read_environment(void) {
    if (getenv("SLUICE_FAULT")) active = atoi(getenv("SLUICE_FAULT"));
    reached_path = getenv("SLUICE_FAULTS_REACHED");
}
int sluice_fault_is_on(int number) {
    if (reached_path && !reached[number]) {
        reached[number] = 1;
        int file = open(reached_path, O_WRONLY | O_APPEND | O_CREAT, 0600);
        dprintf(file, "%d\\n", number);
        close(file);
    }
    return number == active;
}
"""

# An operator of a fault: (its parameters and result, its constraints). The disfavoured forms are for what is rarer.
FORMS = {
    "bound": ["<T: Comparable>(a: T, b: T) -> Bool", "?<T: BinaryInteger, U: BinaryInteger>(a: T, b: U) -> Bool"],
    "equality": [
        "<T: Equatable>(a: T, b: T) -> Bool", "?<T: BinaryInteger, U: BinaryInteger>(a: T, b: U) -> Bool",
        "?<T: ~Copyable>(a: borrowing T?, b: _OptionalNilComparisonType) -> Bool",
    ],
    "sign": [
        "<T: AdditiveArithmetic>(a: T, b: T) -> T", "?<T: Strideable>(a: T, b: T.Stride) -> T where T.Stride == Int",
    ],
    "assignment": [
        "<T: AdditiveArithmetic>(a: inout T, b: T)", "?<T: Strideable>(a: inout T, b: T.Stride) where T.Stride == Int",
    ],
    "shift": ["<T: BinaryInteger, U: BinaryInteger>(a: T, b: U) -> T"],
    "bits": ["<T: BinaryInteger>(a: T, b: T) -> T"],
}


def name(base, number):
    """An operator that only this fault has. Its sign says nothing to the compiler: the precedence is declared."""
    digits = ""
    while True:
        digits += "%^|~"[number % 4]
        number //= 4
        if not number:
            return base + digits + "^"


def operator_declaration(fault, number):
    own, other = fault.found.strip(), fault.text.strip()
    is_on, visible = f"faultIsOn({number})", "@usableFromInline"
    if fault.rule == "negation":
        sign = name("!", number)
        return f"prefix operator {sign}\n{visible} prefix func {sign}(a: Bool) -> Bool {{ {is_on} ? a : !a }}\n"
    if fault.rule == "range":
        sign, end = name("..<", number), f"({is_on} ? b.advanced(by: 1) : b)"
        if is_prefix(fault):
            text = f"prefix operator {sign}\n{visible} prefix func {sign}<T: Strideable>(b: T) -> PartialRangeUpTo<T> "
            return f"{text}{{ ..<{end} }}\n"
        text = f"infix operator {sign}: RangeFormationPrecedence\n"
        return f"{text}{visible} func {sign}<T: Strideable>(a: T, b: T) -> Range<T> {{ a ..< {end} }}\n"
    sign = name("<", number)
    if fault.rule == "and-or":
        group = "LogicalConjunction" if own == "&&" else "LogicalDisjunction"
        head = f"{visible} func {sign}(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool"
        body = f"{{ try {is_on} ? (a {other} b()) : (a {own} b()) }}"
        return f"infix operator {sign}: {group}Precedence\n{head} {body}\n"
    kind, group = fault.rule, PRECEDENCE.get(fault.rule)
    if kind == "sign":
        kind, group = ("assignment", "Assignment") if own.endswith("=") else ("sign", "Addition")
    if kind == "bits":
        group = "Multiplication" if own == "&" else "Addition"
    text = f"infix operator {sign}: {group}Precedence\n"
    for form in FORMS[kind]:
        mark = "@_disfavoredOverload " if form[0] == "?" else ""
        body = f"if {is_on} {{ a {other} b }} else {{ a {own} b }}"
        if "Strideable" in form:
            step = "a = " if kind == "assignment" else "return "
            plus, minus = f"{step}a.advanced(by: b)", f"{step}a.advanced(by: -b)"
            one, two = (plus, minus) if own[0] == "+" else (minus, plus)
            body = f"if {is_on} {{ {two} }} else {{ {one} }}"
        elif kind != "assignment":
            body = f"return {is_on} ? (a {other} b) : (a {own} b)"
        text += f"{mark}{visible} func {sign}{form.lstrip('?')} {{ {body} }}\n"
    return text


def is_prefix(fault):
    return not re.search(r"[\w)\]?!]$", fault.before[: fault.start])


def swift_edits(fault, number):
    """What is written into the line, as (start, end, text); several where something is put around."""
    start, end, found = fault.start, fault.end, fault.found
    match fault.rule:
        case "dropped":
            open_at, close_at = (start, end - 2) if found.endswith(", ") else (start + 2, end)
            return [(open_at, open_at, f"faultIsOn({number}) || ("), (close_at, close_at, ")")]
        case "truth":
            return [(start, end, f"faultTruth({number}, {found})")]
        case "constant":
            return [(start, end, f"faultConstant({number}, {found}, {fault.text})")]
        case "least-most":
            return [(start, end, f"{'faultLeast' if 'min' in found else 'faultMost'}({number}, ")]
        case "any-all":
            return [(start, end, f".{'faultContains' if 'contains' in found else 'faultAllSatisfy'}({number}) {{")]
        case "first-last":
            return [(start, end, f".{'faultFirst' if 'first' in found else 'faultLast'}({number})")]
        case "negation":
            return [(start, end, name("!", number))]
        case "range":
            return [(start, end, name("..<", number))]
        case _:
            spaces = len(found) - len(found.rstrip())
            return [(start + 1, end - spaces, name("<", number))]


OPERATORS = {"bound", "equality", "and-or", "sign", "shift", "bits", "negation", "range"}


def pieces(line):
    """The expressions of a line of C, the inner ones later: what stands between brackets, commas and semicolons."""
    stack, found = [0], []
    for at, character in enumerate(line):
        if character in "([{":
            stack.append(at + 1)
        elif character in ")]}":
            found.append((stack.pop(), at))
            if not stack:
                return []
        elif character in ",;":
            found.append((stack[-1], at))
            stack[-1] = at + 1
    return found if len(stack) == 1 else []


def c_edits(fault, number):
    around = [p for p in pieces(fault.before) if p[0] <= fault.start and fault.end <= p[1]]
    if not around:
        return []
    start, end = min(around, key=lambda piece: piece[1] - piece[0])
    head = re.match(r"\s*(?:return\b|else\b|[\w\s*]+ = |[^=()]* [-+|&]?= )?\s*", fault.before[start: end])
    if start + head.end() <= fault.start:
        start += head.end()
    text, at = fault.before[start: end], fault.start - start
    if re.match(r"[-+|&=<>?:]", text):
        return []
    other = text[:at] + fault.text + text[at + len(fault.found):]
    return [(start, end, f"(sluice_fault_is_on({number}) ? ({other}) : ({text}))")]


def edits(fault, number):
    return (swift_edits if fault.path.endswith(".swift") else c_edits)(fault, number)


def overlap(one, other):
    return any(a[0] < b[1] and b[0] < a[1] or a == b for a in one for b in other)


def plant(tree, root, planted, count):
    """Writes the sources anew: with the faults of `planted` (number → fault), and everything else as it is."""
    files, modules = {}, {}
    for number, fault in planted.items():
        files.setdefault(fault.path, []).append((number, fault))
        modules.setdefault(fault.folder, []).append((number, fault))
    for path in sorted((root / "Sources").rglob("*.*")):
        relative = str(path.relative_to(root))
        if path.suffix not in (".swift", ".c", ".h"):
            continue
        lines = path.read_text().splitlines(keepends=True)
        found = files.get(relative, [])
        changes = ((fault.line, *edit) for number, fault in found for edit in edits(fault, number))
        for line, start, end, text in sorted(changes, reverse=True):
            lines[line] = lines[line][:start] + text + lines[line][end:]
        if found and path.suffix != ".swift":
            lines.insert(0, "int sluice_fault_is_on(int number);\n#line 1\n")
        write(tree / relative, "".join(lines))
        if not found:
            # What is built of it is built.
            shutil.copystat(path, tree / relative)
    for folder, found in modules.items():
        if folder == "Sources/CSIMD":
            write(tree / folder / "faults.c", C.replace("COUNT", str(count)))
            continue
        operators = "".join(operator_declaration(f, n) for n, f in found if f.rule in OPERATORS)
        write(tree / folder / "Faults.swift", SWIFT.replace("COUNT", str(count)) + operators)


def write(path, text):
    """Files that stay as they are keep their time, so that the build passes them over."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
