# shellcheck shell=bash
# Shared by ./run and ./test: the packages, and the build. Sourced, with `set -euo pipefail` on and
# the top of the tree as the working directory.

say() { printf '%s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# The packages of .ci/packages.txt that this machine lacks, one a line.
missing_packages() {
  local package status
  while read -r package; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s\n' "$package"
  done < <(grep -v '^[[:space:]]*\(#\|$\)' .ci/packages.txt)
}

# Installs what is missing; needs the network and root (or sudo) only then.
install_packages() {
  command -v apt-get >/dev/null ||
    die "no apt-get here; use Debian 12, or install what .ci/packages.txt lists by hand"
  local missing=()
  mapfile -t missing < <(missing_packages)
  [ "${#missing[@]}" -gt 0 ] || return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "these packages are missing: ${missing[*]}; run it as root, or install sudo"
    as_root=(sudo)
  fi
  say "Installing what is missing (only this first time): ${missing[*]}"
  "${as_root[@]}" apt-get update -q ||
    die "apt-get update failed; check the network and /etc/apt/sources.list"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}" ||
    die "apt-get install failed; what it says above names the package"
}

# How many compilers at once: one a processor, but each may take 1 GB.
build_jobs() {
  local processors memory_kb by_memory
  processors=$(nproc)
  memory_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
  by_memory=$((${memory_kb:-1048576} / 1048576))
  [ "$by_memory" -ge 1 ] || by_memory=1
  printf '%s\n' "$((processors < by_memory ? processors : by_memory))"
}

# configure FOLDER [cmake arguments]: once; a folder that another tree configured is made anew.
configure() {
  local folder=$1 home
  shift
  if [ -f "$folder/CMakeCache.txt" ]; then
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt")
    [ "$home" = "$PWD" ] && [ -f "$folder/build.ninja" ] && return 0
    rm -rf "$folder"
  fi
  mkdir -p "$folder"
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >"$folder/configure.log" 2>&1 || {
    cat "$folder/configure.log" >&2
    rm -f "$folder/CMakeCache.txt"
    die "the build could not be configured; what CMake says above names what lacks"
  }
}

# test_programs FOLDER PATTERN: the programs that the tests with matching names run, one a line.
test_programs() {
  ctest --test-dir "$1" -N -V -R "$2" |
    sed -nE 's/^[0-9]+: Test command: ("([^"]*)"|([^ ]*)).*/\2\3/p' |
    xargs -rd '\n' -n1 basename | sort -u
}
