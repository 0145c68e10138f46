# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Shared by ./run and ./test: installs packages and configures the build. Sourced, with
# `set -euo pipefail` on and the top of the tree as the working directory.

say() { printf '%s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# missing_packages LIST...: the packages of these files that are not installed, one per line.
missing_packages() {
  local package status
  while read -r package; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s\n' "$package"
  done < <(grep -hv '^[[:space:]]*\(#\|$\)' "$@")
}

# install_packages [LIST...]: installs what is missing of .ci/packages.txt and these lists. Only then it
# needs the network and root (or sudo).
install_packages() {
  command -v apt-get >/dev/null ||
    die "apt-get was not found; use Debian 12, or install the packages of .ci/packages.txt by hand"
  local missing=()
  mapfile -t missing < <(missing_packages .ci/packages.txt "$@")
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
    die "apt-get install failed; its messages above name the package"
}

# Prints how many compilers to run at once: one per processor, with 1 GB of memory for each.
build_jobs() {
  local processors memory_kb by_memory
  processors=$(nproc)
  memory_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
  by_memory=$((${memory_kb:-1048576} / 1048576))
  [ "$by_memory" -ge 1 ] || by_memory=1
  printf '%s\n' "$((processors < by_memory ? processors : by_memory))"
}

# configure FOLDER [cmake arguments]: runs CMake once. A folder that another source tree configured
# is deleted first.
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
    die "the build could not be configured; CMake's messages above name what is missing"
  }
}

# test_programs FOLDER PATTERN: the programs that the tests with matching names run, one a line.
test_programs() {
  ctest --test-dir "$1" -N -V -R "$2" |
    sed -nE 's/^[0-9]+: Test command: ("([^"]*)"|([^ ]*)).*/\2\3/p' |
    xargs -rd '\n' -n1 basename | sort -u
}
