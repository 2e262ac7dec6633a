"""What the run needs of the machine: Debian packages, cores, ports, file descriptors."""

import os
import resource
import shutil
import socket
import subprocess

REQUIRED = ["nginx", "haproxy", "wrk", "nghttp2-client", "nghttp2-proxy"]
# nginx with a scripting language, to show what cutting JSON costs there; left out where Debian has none.
OPTIONAL = ["libnginx-mod-http-lua", "lua-cjson", "libnginx-mod-http-js"]

LOAD_CORE = 0
GATEWAY_CORE = 1


def is_installed(package):
    status = subprocess.run(
        ["dpkg-query", "-W", "-f=${db:Status-Abbrev}", package], capture_output=True, text=True, check=False
    )
    return status.stdout.startswith("ii")


def install_packages():
    """Installs what is missing, saying so; an optional package that cannot be had is left out."""
    missing = [name for name in REQUIRED + OPTIONAL if not is_installed(name)]
    if not missing:
        return
    apt = ["apt-get"] if os.geteuid() == 0 else ["sudo", "apt-get"]
    if shutil.which(apt[0]) is None:
        raise SystemExit(f"Missing: {' '.join(missing)}. Install them, or run this as root on Debian.")
    print(f"Installing from Debian: {' '.join(missing)}", flush=True)
    subprocess.run(apt + ["update", "-qq"], check=False)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    install = apt + ["install", "-y", "-qq", "--no-install-recommends"]
    for name in missing:
        done = subprocess.run(install + [name], env=environment, stdout=subprocess.DEVNULL, check=False)
        if done.returncode != 0 and name in REQUIRED:
            raise SystemExit(f"{name} could not be installed.")


def check_cores():
    if not {LOAD_CORE, GATEWAY_CORE} <= os.sched_getaffinity(0):
        raise SystemExit("Two cores are needed: one for the gateway, one for load generator and origin.")


def gateway_cores(workers):
    """A single worker has a core to itself; several share the machine with the load."""
    return {GATEWAY_CORE} if workers == 1 else {LOAD_CORE, GATEWAY_CORE}


def stay_on_load_core():
    os.sched_setaffinity(0, {LOAD_CORE})


def raise_descriptor_limit(wanted):
    """Children inherit it: 5,000 idle connections need as many descriptors on either side."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise SystemExit(f"{wanted} file descriptors are needed, the hard limit is {hard}.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
