@testable import SluiceConsole

/// A page of metrics of a made-up daemon.
enum MetricsSample {
    /// - Parameters:
    ///   - busy: requests of `GET /busy`, half of them within 10 ms, all within 100 ms.
    ///   - failed: requests of `GET /slow`, all of them errors.
    static func page(busy: Int, failed: Int, isDown: Bool = false, uptime: Int = 100) -> String {
        """
        sluice_build_info{version="9.8"} 1
        sluice_start_time_seconds \(10_000 - uptime)
        sluice_exchanges{loop="0"} 1
        sluice_exchanges{loop="1"} 2
        sluice_cache_entries 12
        sluice_cache_memory_bytes 4096
        sluice_requests_total{binding="GET /busy",method="GET",status="2xx"} \(busy)
        sluice_requests_total{binding="GET /slow",method="GET",status="5xx"} \(failed)
        sluice_requests_total{binding="GET /idle",method="GET",status="2xx"} 0
        sluice_cache_requests_total{binding="GET /busy",outcome="hit"} \(busy / 4)
        sluice_cache_requests_total{binding="GET /busy",outcome="uri-miss"} \(busy - busy / 4)
        sluice_cache_requests_total{binding="GET /busy",outcome="collapsed"} \(busy)
        sluice_request_duration_seconds_bucket{binding="GET /busy",le="0.01"} \(busy / 2)
        sluice_request_duration_seconds_bucket{binding="GET /busy",le="0.1"} \(busy)
        sluice_request_duration_seconds_bucket{binding="GET /busy",le="+Inf"} \(busy)
        sluice_upstream_attempts_total{upstream="fruit",outcome="2xx"} \(busy)
        sluice_upstream_attempts_total{upstream="fruit",outcome="lost"} \(failed)
        sluice_upstream_connections{upstream="fruit",state="idle"} 3
        sluice_upstream_connections{upstream="fruit",state="busy"} 1
        sluice_endpoint_loops{upstream="fruit",endpoint="a:1"} 2
        sluice_endpoint_loops{upstream="fruit",endpoint="b:2"} 2
        sluice_endpoint_loops_down{upstream="fruit",endpoint="a:1"} \(isDown ? 2 : 0)
        sluice_endpoint_loops_open{upstream="fruit",endpoint="b:2"} \(isDown ? 1 : 0)

        """
    }

    static func snapshot(
        at time: Double, busy: Int, failed: Int = 0, isDown: Bool = false, uptime: Int = 100
    ) -> FigureSnapshot {
        FigureSnapshot(
            page(busy: busy, failed: failed, isDown: isDown, uptime: uptime), at: time, unixTime: 10_000)
    }
}
