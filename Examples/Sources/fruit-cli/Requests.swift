import SluiceClient

/// A request as a type: what goes where stands at its properties, and so does what is read from the answer.
struct ShowFruit: Request {
    struct Response: Decodable {
        @ResponseBody<Fruit> var fruit
        @ResponseErrorBody<GatewayProblem> var problem
        @ResponseStatusCode var status
        @ResponseHeader<DefaultHeaderStrategyOptional> var cacheStatus: String?
    }
    @RequestPath var path = "/fruits/{id}"
    @RequestPathParameter var id: Int
}

/// The same, written with plain properties.
struct RemoveFruit: GetStatusRequest {
    var id: Int
    var path: String { "/fruits/\(id)" }
    let httpMethod: HTTPMethod = .delete
}
