# docker buildx bake -f packaging/image/bake.hcl: one image for both architectures. Each is built on a machine of its own
# or in an emulator; the sources have code for both.
variable "COMMIT" {
  default = ""
}

variable "REPOSITORY" {
  default = "sluice"
}

group "default" {
  targets = ["sluice"]
}

target "sluice" {
  context    = "."
  dockerfile = "Dockerfile"
  platforms  = ["linux/amd64", "linux/arm64"]
  args       = { COMMIT = COMMIT }
  tags       = ["${REPOSITORY}:0.2.0", "${REPOSITORY}:latest"]
}
