import CSIMD

/// Choices that the kernel's walk makes itself: those with a single chooser, which looks at a key's value.
extension PlanBuilder {
    /// One entry for each choice; a choice without ways is left to Swift.
    var walkChoices: (choices: [sluice_json_choice], ways: [sluice_json_way]) {
        var ways: [sluice_json_way] = []
        let choices = choices.map { choice -> sluice_json_choice in
            var walked = sluice_json_choice()
            guard let made = self.ways(of: choice) else { return walked }
            walked.key = made.key
            walked.ways = Int32(ways.count)
            walked.way_count = Int32(made.ways.count)
            ways += made.ways
            return walked
        }
        return (choices, ways)
    }

    private func ways(of choice: ChoiceTable) -> (key: sluice_json_text, ways: [sluice_json_way])? {
        guard choice.choosers.count == 1, case let chooser = choosers[Int(choice.choosers.start)],
            chooser.key.count >= 0, case let key = bytes(chooser.key), Self.isPlain(key)
        else { return nil }
        var made: [sluice_json_way] = []
        for number in chooser.ways.indices where ways[number].form != .plain {
            let value = bytes(ways[number].text)
            let table = chosen[Int(choice.tables.start + ways[number].alternative)]
            guard Self.isPlain(value), table >= 0, objects[Int(table)].isWalked else { return nil }
            made.append(sluice_json_way(value: sluice_json_text(quoting: value), table: table))
        }
        return (sluice_json_text(quoting: key), made)
    }

    private func bytes(_ range: TextRange) -> ArraySlice<UInt8> {
        text[Int(range.start)..<Int(range.start + range.count)]
    }
}
