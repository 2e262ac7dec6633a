/// Curl's options that take a value: curl(1). An unknown option might take the next word as its value, a secret too, so
/// it is refused.
enum CurlOptions {
    static let short: [Character: String] = [
        "A": "user-agent", "C": "continue-at", "D": "dump-header", "E": "cert", "F": "form", "H": "header",
        "K": "config", "P": "ftp-port", "Q": "quote", "T": "upload-file", "U": "proxy-user", "X": "request",
        "Y": "speed-limit", "b": "cookie", "c": "cookie-jar", "d": "data", "e": "referer", "m": "max-time",
        "o": "output", "r": "range", "t": "telnet-option", "u": "user", "w": "write-out", "x": "proxy",
        "y": "speed-time", "z": "time-cond", "G": "get", "I": "head", "L": "location", "k": "insecure",
    ]

    static let withValue: Set<String> = Set(
        """
        aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie cookie-jar \
        create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode dns-interface \
        dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header etag-compare etag-save expect100-timeout form \
        form-string ftp-port happy-eyeballs-timeout-ms haproxy-clientip header hsts interface ip-tos json \
        keepalive-cnt keepalive-time key key-type limit-rate local-port login-options max-filesize max-redirs max-time \
        netrc-file noproxy oauth2-bearer output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default \
        proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-header proxy-key proxy-pass proxy-user proxy1.0 \
        pubkey quote range rate referer request request-target resolve retry retry-delay retry-max-time service-name \
        socks4 socks4a socks5 socks5-hostname speed-limit speed-time stderr telnet-option time-cond tls-max \
        tls13-ciphers tlspassword tlsuser trace trace-ascii unix-socket upload-file url url-query user user-agent \
        variable write-out
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Known options without a value, which concern the answer or the connection.
    static let flags: Set<String> = Set(
        """
        silent show-error verbose include fail fail-with-body compressed no-progress-meter progress-bar location \
        insecure http1.0 http1.1 http2 http2-prior-knowledge http3 ipv4 ipv6 get head globoff path-as-is no-buffer \
        remote-name remote-header-name remote-time tlsv1 tlsv1.2 tlsv1.3 tcp-nodelay no-keepalive netrc anyauth basic \
        raw tr-encoding styled-output location-trusted ssl-reqd parallel disable junk-session-cookies
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    /// Schemes by which curl shows user and password, and which no page has: Basic in their place would tell the
    /// password to a server that was never to see it.
    static let schemes: Set<String> = ["digest", "ntlm", "ntlm-wb", "negotiate"]

    /// Options that do not concern the request and are not missed.
    static let harmless: Set<String> = [
        "silent", "show-error", "verbose", "include", "fail", "fail-with-body", "output", "write-out", "compressed",
        "no-progress-meter", "progress-bar", "globoff", "no-buffer", "remote-name",
    ]
    /// Other programs that ask for an address. No other word is shown in messages: it may be a secret.
    static let otherPrograms: Set<String> = ["wget", "http", "https", "httpie", "xh", "xhs", "fetch", "aria2c"]
    static let harmlessShort: Set<Character> = ["s", "S", "v", "i", "f", "g", "N", "O", "#"]
}
