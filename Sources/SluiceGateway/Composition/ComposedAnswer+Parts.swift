internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// Which part is requested next, and how its answer is taken in.
extension ComposedAnswer {
    /// Requests all parts that can be requested now.
    func lookAtParts() {
        while case .waiting = state, !ready.isEmpty { advance(ready.removeFirst()) }
        if parts.allSatisfy(\.isOver) { finish() }
    }

    private func advance(_ index: Int) {
        switch parts[index].phase {
        case .waiting: begin(index)
        case .asking: askElements(index)
        case .answered, .missing: break
        }
    }

    private func begin(_ index: Int) {
        let part = plan.parts[index]
        if part.needs.contains(where: { parts[$0].isMissing }) {
            // The rules ask for `optional: true` there.
            return end(index, nil)
        }
        guard let each = part.each else {
            parts[index].ask(nil)
            return ask(index, element: nil)
        }
        let list = parts[each.part].values[each.slice]
        guard list.isList else {
            return fail(index, element: nil, Problem(.typeMismatch, detail: "'\(each.text)' is no list."))
        }
        let count = list.items.count
        guard count <= loop.limits.partElements else {
            let most = loop.limits.partElements
            return fail(
                index, element: nil,
                Problem(
                    .upstreamTooLarge,
                    detail: "Its list has \(count) elements, and 'limits.part-elements' takes \(most)."))
        }
        if count == 0 { return end(index, .each([])) }
        parts[index].ask(PartState.Elements(count: count, answers: Array(repeating: nil, count: count)))
        askElements(index)
    }

    /// Requests as many elements as are allowed at once.
    private func askElements(_ index: Int) {
        while case .waiting = state, var elements = parts[index].elements, elements.next < elements.count,
            elements.underWay < plan.parts[index].atOnce
        {
            let element = elements.next
            elements.next += 1
            elements.underWay += 1
            parts[index].ask(elements)
            ask(index, element: element)
        }
    }

    private func ask(_ index: Int, element: Int?) {
        let part = plan.parts[index]
        let taker = PartCall.Taker(part: index, element: element)
        let values = element.map { self.values(ofElement: $0, part) } ?? []
        guard let target = PartTarget(part, element: values, in: self) else {
            return fail(
                index, element: element,
                Problem(.typeMismatch, detail: "A value is missing that the request for it is made of."))
        }
        // The key includes the route: two bindings may answer the same target differently.
        let key = part.writes ? nil : Array("\(part.route) ".utf8) + part.method + [UInt8(ascii: " ")] + target.bytes
        if let key, let known = answers[key] {
            if known.isTaken {
                if hold(known.json.count) { take(known, for: taker) }
                return
            }
            return known.takers.append(taker)
        }
        guard budget.takeRequest() else {
            let most = loop.limits.partRequests
            return fail(
                index, element: element,
                Problem(
                    .upstreamTooLarge,
                    detail: "The parts ask for more than \(most) answers; 'limits.part-requests' says how many."))
        }
        if part.writes { answers = [:] }
        let call = PartCall(self, taker, key: key)
        calls.append(call)
        if let key { answers[key] = call }
        call.begin(part, target, body: bodyOf(part, element: values), for: self)
    }

    private func values(ofElement element: Int, _ part: PartPlan) -> [PartValue] {
        guard let each = part.each else { return [] }
        return PartReader(each.values, loop).read([parts[each.part].values[each.slice].items[element]])
    }

    /// The JSON that a part sends; nil where it sends none.
    private func bodyOf(_ part: PartPlan, element: [PartValue]) -> [UInt8]? {
        switch part.body {
        case nil: nil
        case .request: body
        case .parameter: nil
        case .slice(let source, let slice): parts[source].values[slice].body
        case .element(let slice): element[slice].body
        }
    }

    // MARK: - Outcomes

    /// Takes in the requests that have ended, with a value or a failure.
    func takeEnded() {
        let ended = calls.filter(\.isEnded)
        calls.removeAll(where: \.isEnded)
        // First mark them all as taken: the loop below stops where there is no room for an answer.
        for call in ended { call.taken() }
        for call in ended {
            for (index, taker) in call.takers.enumerated() {
                // The document contains the value once for each taker.
                if index > 0, !hold(call.json.count) { return }
                take(call, for: taker)
            }
        }
    }

    private func take(_ call: PartCall, for taker: PartCall.Taker) {
        let index = taker.part
        if let problem = call.failure(of: plan.parts[index].name) {
            guard plan.parts[index].isOptional else { return fail(index, element: taker.element, problem) }
            freshness.isMissing()
            return taker.element == nil ? end(index, nil) : endElement(index, taker.element ?? 0, nil)
        }
        if let element = taker.element { endElement(index, element, call.json) } else { end(index, .one(call.json)) }
    }

    private func endElement(_ index: Int, _ element: Int, _ json: [UInt8]?) {
        parts[index].endElement(element, json)
        guard let elements = parts[index].elements else { return }
        if elements.underWay == 0, elements.next == elements.count { return end(index, .each(elements.answers)) }
        if ready.last != index { ready.append(index) }
    }

    /// A part has ended: parts that waited for nothing else come next.
    private func end(_ index: Int, _ answered: PartState.Answered?) {
        parts[index].end(answered)
        if answered != nil { readValues(index) }
        for dependent in plan.parts[index].dependents {
            parts[dependent].waitsFor -= 1
            if parts[dependent].waitsFor == 0 { ready.append(dependent) }
        }
    }

    /// Cuts out the values that the requests for other parts are made of.
    private func readValues(_ index: Int) {
        let slices = plan.parts[index].slices
        if slices.count > 0 { parts[index].values = PartReader(slices, loop).read(parts[index].runs) }
    }

    private func fail(_ index: Int, element: Int?, _ problem: Problem) {
        var problem = problem
        let own = plan.parts[index].name + (element.map { "[\($0)]" } ?? "")
        problem.part = own + (problem.part.map { "." + $0 } ?? "")
        problem.done = problem.done.map { "\(own).\($0)" }
        fail(problem)
    }
}
