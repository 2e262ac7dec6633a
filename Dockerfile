# syntax=docker/dockerfile:1
#
#     docker build -t sluice .
#     docker run --rm -p 127.0.0.1:8080:8080 -v "$PWD/config:/etc/sluice:ro" sluice
#
# Inside a container the loopback address is the container's own: the configuration has to listen on 0.0.0.0:8080, and
# `-p 127.0.0.1:…` keeps it local on the host.
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG RUNTIME_IMAGE=debian:12-slim

FROM ${SWIFT_IMAGE} AS build
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        libssl-dev zlib1g-dev libnghttp2-dev libbrotli-dev libzstd-dev libsqlite3-dev libhiredis-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# Dependencies change seldom: fetched in a layer of their own.
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
# The flags of scripts/setup-lib; the dynamic checks of exclusivity are for the tests, a request would pay 8 % for them.
RUN swift build -c release --product sluice --static-swift-stdlib -Xlinker -s -Xswiftc -enforce-exclusivity=unchecked \
    && install -D -m 0755 "$(swift build -c release --show-bin-path)/sluice" /out/sluice

FROM ${RUNTIME_IMAGE}
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        ca-certificates libstdc++6 libssl3 zlib1g libnghttp2-14 libbrotli1 libzstd1 libsqlite3-0 libhiredis0.14 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin sluice
COPY --from=build /out/sluice /usr/local/bin/sluice
USER sluice
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/usr/local/bin/sluice", "health"]
ENTRYPOINT ["/usr/local/bin/sluice"]
CMD ["serve", "--config", "/etc/sluice/sluice.yaml"]
