import SluiceClient
import Testing

/// S12: building addresses, and their one spelling.
@Suite struct ResourceAddressTests {
    @Test(arguments: [
        ("/repos", "a/b c", "/repos/a%2Fb%20c"), ("/repos/", "x", "/repos/x"), ("repos?page=2", "x", "/repos/x"),
        ("", "x", "/x"),
    ])
    func s12Children(path: String, segment: String, whole: String) {
        #expect(ResourceAddress(path).child(segment).description == whole)
    }

    /// RFC 3986 §5.4, as far as it is about paths.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d?y="),
        ("g?y=1", "/b/c/g?y=1"), ("", "/b/c/d?q=1"), (".", "/b/c/"), ("..", "/b/"), ("../g", "/b/g"),
        ("../../g", "/g"), ("../../../g", "/g"), ("../..", "/"),
    ])
    func s12References(reference: String, whole: String) {
        #expect(ResourceAddress("/b/c/d?q=1").relative(reference).description == whole)
    }

    /// The trap: repeats are lost.
    @Test func s12ParametersAreSortedAndRepeat() {
        let address = ResourceAddress("/x").withParam("tag", ["b", "a"]).withParam("limit", 3)
        #expect(address.description == "/x?limit=3&tag=a&tag=b")
        #expect(address == ResourceAddress("/x?tag=b&limit=3&tag=a"))
        #expect(address.withParam("tag", nil).withParam("limit", 4).description == "/x?limit=4")
    }
}
