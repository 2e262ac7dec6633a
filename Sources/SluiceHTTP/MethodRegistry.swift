/// The methods with a registered meaning (RFC 9110 §16.1.1, the IANA HTTP Method Registry) beyond those of ``Method``;
/// also the methods of UPnP's discovery and events, which are in use but were never registered.
///
/// `ANY` stands for methods that a specification defines. Any other token is unknown, and answered with 501, unless a
/// binding names it (RFC 9110 §9.1, §15.6.2).
public enum MethodRegistry {
    // Without PRI, which is not a request method but the beginning of the HTTP/2 preface (RFC 9113 §3.4).
    private static let names: [[UInt8]] = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "LOCK", "MERGE",
        "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PROPFIND",
        "PROPPATCH", "QUERY", "REBIND", "REPORT", "SEARCH", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE",
        "UPDATEREDIRECTREF", "VERSION-CONTROL",
        // UPnP Device Architecture 2.0, §1 and §4.
        "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE",
    ].map { Array($0.utf8) }

    /// Whether the registry has `name`, which is none of ``Method``; case matters. O(size of the registry).
    public static func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        names.contains { $0.elementsEqual(name) }
    }
}
