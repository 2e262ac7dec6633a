# syntax=docker/dockerfile:1
#
#     docker build --build-arg COMMIT=$(git rev-parse HEAD) -t sluice:0.2.0 .
#     docker run --rm -p 127.0.0.1:8080:8080 -v "$PWD/page:/etc/sluice:ro" sluice:0.2.0
#
# For several architectures: docker buildx bake -f packaging/image/bake.hcl. A binary that scripts/build has made is taken
# as it is by scripts/image.
#
# Without `-v` it has a page that answers nothing yet. Inside a container the loopback address is the container's own: the
# page/sluice.yaml that you mount has to listen on 0.0.0.0:8080, and `-p 127.0.0.1:…` keeps it local on the host. It runs
# as 65532:65532, needs no capability, and writes nothing outside of mounts: `--read-only --cap-drop=all` is fine. Secrets
# belong below /run/secrets, where engines mount them (0444 or 0644 of root is fine there).
ARG SWIFT_IMAGE=swift:6.3-bookworm
ARG RUNTIME_IMAGE=debian:12-slim
ARG BINARY=build

FROM ${SWIFT_IMAGE} AS build
COPY scripts/packages /packages
# A list of packages is to be split into its words.
# hadolint ignore=SC2046
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
COPY scripts/foundation scripts/foundation
COPY scripts/sbom scripts/sbom
ARG COMMIT=
RUN SLUICE_COMMIT="$COMMIT" bash -euo pipefail -c '. scripts/setup-lib && build_release' \
    && install -D -m 0755 .build/release/sluice /out/sluice \
    && scripts/sbom /out/sluice >/out/sluice.spdx.json

FROM ${BINARY} AS binary

FROM ${RUNTIME_IMAGE}
ARG COMMIT=
LABEL org.opencontainers.image.title="Sluice" \
      org.opencontainers.image.description="A typed API gateway for localhost" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="${COMMIT}"
COPY scripts/packages/runtime /packages
# The number is part of the image's contract: mounts and `runAsUser:` go by it. 65532 is what "nonroot" has elsewhere.
# In the folder below /run a volume of sockets takes over its owner.
# hadolint ignore=SC2046
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(grep -v '^#' /packages) \
    && rm -rf /var/lib/apt/lists/* /var/cache/debconf/* /var/cache/apt/* /var/log/* /packages \
    && find /usr/share/doc -not -type d -not -name copyright -delete \
    && groupadd --gid 65532 sluice \
    && useradd --uid 65532 --gid 65532 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin sluice \
    && install -d -o 65532 -g 65532 -m 0755 /run/sluice
COPY LICENSE NOTICE /usr/share/doc/sluice/
COPY config/sluice.schema.json /usr/share/sluice/
COPY packaging/image/sluice.yaml /etc/sluice/sluice.yaml
COPY --from=binary /out/sluice.spdx.json /usr/share/doc/sluice/
COPY --from=binary /out/sluice /usr/bin/sluice
# By number, so that Kubernetes can tell that it is not root (runAsNonRoot).
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
# It fails where the page listens on the loopback alone, which no published port reaches: then say `--no-healthcheck`, or
# have a check without `--from-outside`.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
    CMD ["/usr/bin/sluice", "health", "--from-outside"]
ENTRYPOINT ["/usr/bin/sluice"]
CMD ["serve", "--config", "/etc/sluice/sluice.yaml"]
