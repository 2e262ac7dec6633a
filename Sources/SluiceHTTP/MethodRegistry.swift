/// The methods that have a registered meaning (RFC 9110 §16.1.1, the IANA HTTP Method Registry), beyond those of
/// ``Method``; and those of UPnP's discovery and events, which are in use and were never registered.
///
/// `ANY` stands for methods that a specification defines. Any other token is unknown, and answered with 501, unless a
/// binding names it (RFC 9110 §9.1, §15.6.2).
public enum MethodRegistry {
    // Without PRI, which is no method of a request but the beginning of HTTP/2 (RFC 9113 §3.4).
    private static let names: [[UInt8]] = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "LOCK", "MERGE",
        "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PROPFIND",
        "PROPPATCH", "QUERY", "REBIND", "REPORT", "SEARCH", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE",
        "UPDATEREDIRECTREF", "VERSION-CONTROL",
        // UPnP Device Architecture 2.0, §1 and §4.
        "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE",
    ].map { Array($0.utf8) }

    /// Whether `name`, which is none of ``Method``, is known so; case counts. O(size of the registry).
    public static func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        names.contains { $0.elementsEqual(name) }
    }
}
