internal import ArgumentParser
internal import SluiceIO
internal import SluiceSockets

/// `127.0.0.1:9090`, `[::1]:9090`, `unix:/path`, or a port alone for the loopback, as an argument.
struct ListenAddress: ExpressibleByArgument {
    let address: SocketAddress

    init?(argument: String) {
        if argument.hasPrefix("unix:") {
            guard let address = SocketAddress(unixPath: String(argument.dropFirst(5))) else { return nil }
            self.address = address
        } else {
            let text = argument.contains(":") ? argument : "127.0.0.1:\(argument)"
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                return nil
            }
            let host = text[..<colon] == "localhost" ? "127.0.0.1" : String(text[..<colon])
            guard let address = SocketAddress(literal: host, port: Int(port)) else { return nil }
            self.address = address
        }
    }
}
