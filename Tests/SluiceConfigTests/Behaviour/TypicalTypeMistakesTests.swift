import Testing

@testable import SluiceConfig

/// What a person gets wrong in types: the right place, and what to do.
@Suite struct TypicalTypeMistakesTests {
    @Test(arguments: [
        (
            "name: String", "name: string",
            """
            7:11: 'string' is a set of one string; expected a type, several strings, or '"string"' for this \
            one alone; did you mean 'String'?
            """
        ),
        (
            "size: Int", "size: Integer",
            "8:11: unknown type 'Integer'; expected a built-in type or a name of 'types:'; did you mean 'Int'?"
        ),
        (
            "value: [Fruit]", "value: List[Fruit]",
            """
            15:16: 'List[Fruit]' is no type: there is more text behind the type; expected '|', '?', '=', \
            'from' or the end; did you mean '[Fruit]'?
            """
        ),
        (
            "value: [Fruit]", "value: Array<Fruit>",
            """
            15:12: unknown type 'Array<Fruit>'; expected a built-in type or a name of 'types:'; did you mean \
            '[Fruit]'?
            """
        ),
        (
            "value: [Fruit]", "value: Fruit[]",
            """
            15:17: 'Fruit[]' is no type: there is more text behind the type; expected '|', '?', '=', 'from' \
            or the end; did you mean '[Fruit]'?
            """
        ),
        (
            "name: String", "name: Dictionary<String, Int>",
            """
            7:28: 'Dictionary<String, Int>' is no type: there is more text behind the type; expected '|', \
            '?', '=', 'from' or the end; did you mean '[String: Int]'?
            """
        ),
        (
            "value: [Fruit]", "value: [Friut]",
            "15:13: unknown type 'Friut'; expected a built-in type or a name of 'types:'; did you mean 'Fruit'?"
        ),
        (
            "value: [Fruit]", "value: [Fruit]?",
            """
            15:19: not valid YAML: mapping keys are not allowed in this context; put the whole type in single \
            quotes, as in '[Int]?'
            """
        ),
        (
            "Int = 10", "Int = ten",
            "13:27: the default is not of its type: the text 'ten'; expected a value of type Int"
        ),
        (
            "Int = 10", "Int(1...5) = 10",
            "13:34: the default is not of its type: the text '10'; expected a value of type Int(1...5)"
        ),
        (
            "Int = 10", "Int(1..5)",
            """
            13:25: 'Int(1..5)' is no type: '1..5' is no range; expected bounds such as 1...100, 1... or \
            ...100; did you mean '1...5'?
            """
        ),
        (
            "Int = 10", "Int(5...1)",
            """
            13:25: 'Int(5...1)' is no type: nothing is in the range 5...1; expected the smaller bound first; \
            did you mean '1...5'?
            """
        ),
        (
            "name: String", "name: String(/(?=a)b/)",
            """
            7:18: the pattern /(?=a)b/ cannot be used: '(?=' looks around, which one pass cannot; expected \
            (…) or (?:…)
            """
        ),
        (
            "name: String", "name: String(^[a-z]+$)",
            """
            7:18: 'String(^[a-z]+$)' is no type: '^[a-z]+$' is no range; expected bounds such as 1...100, \
            1... or ...100, or a pattern such as /^[a-z]+$/; did you mean '/^[a-z]+$/'?
            """
        ),
        (
            "color: red | green", "color: [red, green]",
            """
            9:12: a list of 2 types is no type; expected a list of one type, such as [Int]; write A | B for \
            alternatives
            """
        ),
        (
            "color: red | green", "color: Red | Green",
            """
            9:12: unknown type 'Red'; expected a name of 'types:', or a string in double quotes where it \
            begins with a capital; did you mean '"Red" | "Green"'?
            """
        ),
        (
            "name: String", "name: String | nil",
            """
            7:20: 'String | nil' is no type: 'nil' is a string here; expected '?' behind the type, or '| \
            null'; did you mean 'String?'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: {a: String?|null}\n",
            """
            10:10: 'String?|null' is no type: an alternative cannot be optional by itself; expected an \
            optional union; did you mean 'String?'?
            """
        ),
        (
            "params: {limit: Int = 10}", "params: {limit: String(1...80, /a/)}",
            """
            13:34: 'String(1...80' is no type: a parenthesis is open; expected ')'; put the whole type in \
            single quotes where a comma or a blank and '#' stands in it
            """
        ),
        (
            "    color: red | green\n",
            "    color: red | green\n  Card: {type: card, n: Int}\n  Bank: {type: bank}\n  P: Card | Bank\n",
            """
            10:16: 'card' is a set of one string; expected a type, several strings, or '"card"' for this \
            one alone; did you mean 'Card'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  A: {x: Int}\n  B: {x: Int}\n  C: A | B\n",
            """
            12:6: 'A' and 'B' cannot be told apart; expected a field with a value of its own in each, such as \
            type: '"card"', or a key that only one of them requires; or names for the values: {union: type, \
            card: Card, bank: Bank}
            """
        ),
        (
            "    color: red | green\n",
            "    color: red | green\n  Card: {type: card, n: Int}\n  Bank: {type: bank}\n  P: [Card, Bank]\n",
            """
            10:16: 'card' is a set of one string; expected a type, several strings, or '"card"' for this \
            one alone; did you mean 'Card'?
            """
        ),
        (
            "    size: Int\n", "    size: Int\n    self: Fruit\n",
            """
            6:3: type 'Fruit' contains itself without end: Fruit → Fruit; expected an optional, an array or a \
            dictionary on the way
            """
        ),
        (
            "size: Int", "size: DateTime",
            """
            8:11: unknown type 'DateTime'; expected a built-in type or a name of 'types:'; did you mean \
            'Date'?
            """
        ),
        (
            "    size: Int", "    size: {type: Int, required: false}",
            """
            8:23: unknown key 'required'; expected one of the keys type, from, default, optional; leave it \
            out: what has no '?' behind its type, and no default, is required
            """
        ),
        (
            "    size: Int", "    size: {type: Int, optionl: true}",
            """
            8:23: unknown key 'optionl'; expected one of the keys type, from, default, optional; did you mean \
            'optional'?
            """
        ),
        (
            "    size: Int", "    size: {from: full_name}",
            "8:12: 'type:' is missing; write {type: String, from: full_name}"
        ),
        (
            "    size: Int", "    size: {type: Int, Default: 3}",
            """
            8:23: unknown key 'Default'; expected one of the keys type, from, default, optional; did you mean \
            'default'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: Date(seconds) -> String\n",
            """
            10:6: 'Date(seconds) -> String' is no type: nothing leads from Date(seconds) to String; expected \
            such as Date(seconds) -> Date, Int(string) -> Int, Decimal(string) -> Decimal, Int -> String
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: Decimal(text)\n",
            """
            10:14: 'Decimal(text)' is no type: 'text' is no range; expected bounds such as 1...100, 1... or \
            ...100; did you mean 'string'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: String(max 80)\n",
            """
            10:13: 'String(max 80)' is no type: 'max 80' is no range; expected bounds such as 1...100, 1... \
            or ...100, or a pattern such as /^[a-z]+$/; did you mean '...80'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: String(1, 80)\n",
            """
            10:16: 'String(1, 80)' is no type: a range stands twice; expected one of each; did you mean \
            '1...80'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: [Int](unique: true)\n",
            """
            10:11: not valid YAML: did not find expected key; put the whole type in single quotes, as in \
            '[Int]?'
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: String(/abc/i)\n",
            """
            10:18: 'String(/abc/i)' is no type: 'i' behind a pattern means nothing here; expected a pattern \
            without flags: [Aa] for both cases
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: {a: String, additionalProperties: false}\n",
            """
            10:18: 'additionalProperties' would be a field of the object; expected "*" for keys that are \
            not named; did you mean '"*": reject'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: {a: {type: String, enum: [a, b]}}\n",
            """
            10:25: unknown key 'enum'; expected one of the keys type, from, default, optional; write the \
            strings as the type: red | green
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: {a: {type: Int, minimum: 1}}\n",
            """
            10:22: unknown key 'minimum'; expected one of the keys type, from, default, optional; write a \
            range behind the type: Int(1...100), String(1...80)
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  fruit2: {a: Int}\n  P: fruit2\n",
            """
            10:3: 'fruit2' cannot name a type; expected a capital, then letters, digits, '_' and '.'; did you \
            mean 'Fruit2'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  my-type: {a: Int}\n  P: my-type\n",
            """
            10:3: 'my-type' cannot name a type; expected a capital, then letters, digits, '_' and '.'; did \
            you mean 'MyType'?
            """
        ),
        (
            "    color: red | green\n", "    color: red | green\n  P: Int??\n",
            "10:10: 'Int??' is no type: the type is optional already; expected one '?'"
        ),
    ])
    func saysWhatToDo(_ old: String, _ new: String, _ mistake: String) {
        #expect(FirstPage.mistake(old, new) == mistake)
    }
}
