import AsyncHTTPClient
import Foundation
import FoundationNetworking
import NIOCore
import SluiceClient

/// Somebody who makes the same call: the bytes of an answer, whole.
struct Contestant: Sendable {
    let name: String
    let call: @Sendable () async throws -> Int

    static func sluice(_ name: String, _ address: GatewayAddress, _ target: String) -> Contestant {
        let transport = GatewayTransport(address)
        let request = CallRequest(target)
        return Contestant(name: name) {
            let answer = try await transport.send(request, timeout: .seconds(30))
            guard answer.status == 200 else { throw Fault(name: name, status: answer.status) }
            return try await answer.body.bytes(upTo: 1 << 20).count
        }
    }

    static func asyncHTTPClient(_ url: String) -> Contestant {
        let name = "AsyncHTTPClient, TCP"
        let request = HTTPClientRequest(url: url)
        return Contestant(name: name) {
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            guard answer.status == .ok else { throw Fault(name: name, status: Int(answer.status.code)) }
            return try await answer.body.collect(upTo: 1 << 20).readableBytes
        }
    }

    static func urlSession(_ url: String) throws -> Contestant {
        let name = "URLSession, TCP"
        guard let url = URL(string: url) else { throw Fault(name: name, status: 0) }
        let settings = URLSessionConfiguration.ephemeral
        settings.urlCache = nil
        settings.httpMaximumConnectionsPerHost = 64
        let session = URLSession(configuration: settings)
        let request = URLRequest(url: url, timeoutInterval: 30)
        return Contestant(name: name) {
            let (data, answer) = try await session.data(for: request)
            let status = (answer as? HTTPURLResponse)?.statusCode ?? 0
            guard status == 200 else { throw Fault(name: name, status: status) }
            return data.count
        }
    }

    struct Fault: Error {
        var name: String
        var status: Int
    }
}
