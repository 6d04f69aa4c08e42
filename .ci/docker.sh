# Functions that start and stop a container engine, for scripts that run as root on a dedicated machine.

dockerd=

# Starts an engine with all its files in a folder, unless an engine is running. It may fail on some machines; its output
# is in dockerd.log of the folder.
start_docker() {
  if docker version >/dev/null 2>&1; then return; fi
  export DOCKER_HOST=unix://$1/docker.sock
  dockerd --host "$DOCKER_HOST" --data-root "$1/docker" --exec-root "$1/docker-exec" --pidfile "$1/docker.pid" \
    >"$1/dockerd.log" 2>&1 &
  dockerd=$!
  for _ in $(seq 150); do docker version >/dev/null 2>&1 && break || sleep 0.2; done
}

# Waits until the engine has stopped, after a signal. It unmounts everything below its folder except the network
# namespace of the host.
await_docker() {
  if [ -n "$dockerd" ]; then wait "$dockerd" 2>/dev/null || true; fi
  umount "$1/docker-exec/netns/default" 2>/dev/null || true
}
