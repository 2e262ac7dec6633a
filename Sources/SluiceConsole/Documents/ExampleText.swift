import SluiceJSON

/// Turns JSON values of the configuration into texts for a path, a query, a header or a cookie.
public enum ExampleText {
    /// - Parameter json: a scalar, or a list of scalars.
    /// - Returns: each value of a list; none for null; nil where the value has no text form.
    public static func values(of json: String) -> [String]? {
        if json == "null" { return [] }
        guard json.hasPrefix("[") else { return scalar(json).map { [$0] } }
        var values: [String] = []
        for element in elements(of: json) {
            guard let value = scalar(element) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func scalar(_ json: String) -> String? {
        if json.hasPrefix("\"") { return JSONText.unquote(json) }
        return json.hasPrefix("{") || json.hasPrefix("[") ? nil : json
    }

    /// The texts between the commas of a flat list.
    private static func elements(of json: String) -> [String] {
        var elements: [String] = []
        var element = ""
        var isText = false
        var isEscaped = false
        for character in json.dropFirst().dropLast() {
            if isEscaped {
                isEscaped = false
            } else if isText, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isText.toggle()
            } else if !isText, character == "," {
                elements.append(element)
                element = ""
                continue
            } else if !isText, character == " " {
                continue
            }
            element.append(character)
        }
        if !element.isEmpty || !elements.isEmpty { elements.append(element) }
        return elements
    }
}
