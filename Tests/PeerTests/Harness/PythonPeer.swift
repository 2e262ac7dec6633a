import Foundation

/// A program of ours for Python with libraries that nobody here wrote: it prints the port that it listens on, and then
/// whatever the test wants to know.
final class PythonPeer: Sendable {
    let port: UInt16
    /// What it printed beside its port.
    let words: [String]
    private let process: ChildProcess

    init(_ script: String, _ arguments: String...) throws {
        let process = try ChildProcess([try Peers.signatures(), "-u", "-c", Self.server + script] + arguments)
        self.process = process
        let line = try Poll.until("a port is printed") {
            if let status = process.exitStatus { throw HarnessError("it ended with \(status): \(process.errors)") }
            return process.output.contains("\n") ? process.output.split(separator: "\n").first : nil
        }
        let words = line.split(separator: " ").map(String.init)
        guard let port = words.first.flatMap({ UInt16($0) }) else { throw HarnessError("no port: \(line)") }
        self.port = port
        self.words = Array(words.dropFirst())
    }

    func end() { process.end() }

    var url: String { "http://127.0.0.1:\(port)" }
    var errors: String { process.errors }

    /// `serve(answer)`, which has `answer(request)` give status, fields and text; a request has `method`, `target` and
    /// `path` as they were sent, `headers` and `body`.
    private static let server = #"""
        import json, socketserver, ssl, sys, threading
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        def serve(answer, *words, context=None):
            class Handler(BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"
                def __getattr__(self, name):
                    if name.startswith("do_"): return self.take
                    raise AttributeError(name)
                def log_message(self, *arguments): pass
                def take(self):
                    self.method, self.target = self.requestline.split(" ")[:2]
                    self.body = b""
                    if "chunked" in self.headers.get("Transfer-Encoding", ""):
                        while (size := int(self.rfile.readline(), 16)) > 0:
                            self.body += self.rfile.read(size)
                            self.rfile.readline()
                        self.rfile.readline()
                    else:
                        self.body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                    try:
                        status, fields, text = answer(self)
                    except Exception as error:
                        import traceback
                        status, fields, text = 500, {}, traceback.format_exc()
                    data = text.encode()
                    self.send_response(status)
                    for name, value in fields.items(): self.send_header(name, value)
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    if self.method != "HEAD": self.wfile.write(data)
            server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            server.daemon_threads = True
            if context: server.socket = context.wrap_socket(server.socket, server_side=True)
            print(server.server_address[1], *words, flush=True)
            server.serve_forever()

        """#
}
