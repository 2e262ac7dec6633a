# syntax=docker/dockerfile:1
#
#     docker build -t sluice .
#     docker run --rm -p 127.0.0.1:8080:8080 -v "$PWD/config:/etc/sluice:ro" sluice
#
# Inside a container the loopback address is the container's own: the configuration has to listen on 0.0.0.0:8080, and
# `-p 127.0.0.1:…` keeps it local on the host. It runs as 65532:65532. Secrets belong below /run/secrets, where engines
# mount them (0444 or 0644 of root is fine there).
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG RUNTIME_IMAGE=debian:12-slim

FROM ${SWIFT_IMAGE} AS build
COPY scripts/packages /packages
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(grep -v '^#' /packages/build) \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# Dependencies change seldom: fetched in a layer of their own.
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
COPY scripts/setup-lib scripts/setup-lib
RUN bash -euo pipefail -c '. scripts/setup-lib && build_release' \
    && install -D -m 0755 .build/release/sluice /out/sluice

FROM ${RUNTIME_IMAGE}
COPY scripts/packages/runtime /packages
# The number is part of the image's contract: mounts and `runAsUser:` go by it. 65532 is what "nonroot" has elsewhere.
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(grep -v '^#' /packages) \
    && rm -rf /var/lib/apt/lists/* /packages \
    && groupadd --gid 65532 sluice \
    && useradd --uid 65532 --gid 65532 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin sluice
COPY --from=build /out/sluice /usr/local/bin/sluice
# By number, so that Kubernetes can tell that it is not root (runAsNonRoot).
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["/usr/local/bin/sluice", "health"]
ENTRYPOINT ["/usr/local/bin/sluice"]
CMD ["serve", "--config", "/etc/sluice/sluice.yaml"]
