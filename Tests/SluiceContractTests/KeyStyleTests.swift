import Testing

@testable import SluiceContract

@Suite struct KeyStyleTests {
    @Test(arguments: [
        ("name", "name"), ("fullName", "full_name"), ("htmlURL", "html_url"), ("htmlURLText", "html_url_text"),
        ("_fullName", "_full_name"), ("x2Value", "x2_value"), ("", ""),
    ])
    func snakeCase(_ camel: String, _ snake: String) {
        #expect(KeyStyle.snakeCase(camel) == snake)
    }

    @Test(arguments: [
        ("name", "name"), ("full_name", "fullName"), ("html_url_text", "htmlUrlText"), ("_full_name_", "_fullName_"),
        ("fullName", "fullName"), ("__", "__"),
    ])
    func camelCase(_ snake: String, _ camel: String) {
        #expect(KeyStyle.camelCase(snake) == camel)
    }
}
