# Functions for an engine for containers, for scripts that are run as root on a machine of their own.

dockerd=

# Starts one with everything of it in a folder, unless one is running. Not every machine lets one start: what it said is
# in the folder's dockerd.log then.
start_docker() {
  if docker version >/dev/null 2>&1; then return; fi
  export DOCKER_HOST=unix://$1/docker.sock
  dockerd --host "$DOCKER_HOST" --data-root "$1/docker" --exec-root "$1/docker-exec" --pidfile "$1/docker.pid" \
    >"$1/dockerd.log" 2>&1 &
  dockerd=$!
  for _ in $(seq 150); do docker version >/dev/null 2>&1 && break || sleep 0.2; done
}

# Waits for its end after it was told to. It unmounts what is below its folder, but for the network namespace of the host.
await_docker() {
  if [ -n "$dockerd" ]; then wait "$dockerd" 2>/dev/null || true; fi
  umount "$1/docker-exec/netns/default" 2>/dev/null || true
}
