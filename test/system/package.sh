#!/bin/bash
# Debian packages, for Debian 12 and 13: built twice in a root of that release with equal bytes, clean for lintian, installed into a fresh root and run there.
# Needs root, mmdebstrap and a mirror of Debian; says what is missing otherwise. Takes two builds for each release; CCACHE=FOLDER shares compilations.
# usage: test/system/package.sh [RELEASE...]      (bookworm trixie)      KEEP=FOLDER: roots and packages stay there
set -u
cd "$(dirname "$0")/../.." || exit 1
checkout=$(pwd) passed=0 failed=0
for need in mmdebstrap git; do
  command -v $need >/dev/null || { echo "packages were not tried: $need is not installed"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "packages were not tried: building roots of Debian needs root"; exit 0; }
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
jobs=${JOBS:-$(nproc)}

# holds NAME COMMAND...: the command succeeds.
holds() {
  name=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    passed=$((passed + 1))
    echo "ok $release: $name"
  else
    failed=$((failed + 1))
    echo "FAILED $release: $name"
    tail -n 30 "$work/out" | sed 's/^/  | /'
    return 1
  fi
}
# A command inside of a root, with /proc and nothing of the host.
within() {
  root=$1
  shift
  unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; [ -z "$2" ] || { mkdir -p "$1/ccache"; mount --bind "$2" "$1/ccache"; }
    root=$1; shift 2; exec chroot "$root" env -i PATH=/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 CCACHE_DIR=/ccache DEBIAN_FRONTEND=noninteractive "$@"' sh "$root" "${CCACHE:-}" "$@"
}
says() { pattern=$1; shift; "$@" | tee /dev/stderr | grep -Eq -e "$pattern"; }
result_of() { says "$1" within "$clean" twoproof check "/usr/share/doc/twoproof/examples/$2"; }

for release in "${@:-bookworm}" $([ $# -gt 0 ] || echo trixie); do
  build=$work/$release-build clean=$work/$release-clean
  if [ ! -d "$build" ]; then
    if ! mmdebstrap --quiet --variant=buildd --include="lintian,debhelper${CCACHE:+,ccache}" "$release" "$build" >"$work/$release.log" 2>&1; then
      echo "$release was not tried: no root can be made: $(tail -n 1 "$work/$release.log")"
      rm -rf "$build"
      continue
    fi
  fi
  rm -rf "$build/source" "$build/first" "$build/second" "$clean"
  mkdir -p "$build/source"
  git -c safe.directory='*' archive HEAD | tar -x -C "$build/source"
  holds "build dependencies can be installed" within "$build" sh -c 'apt-get -qq update && apt-get -qq -y --no-install-recommends build-dep /source' || continue
  holds "the package is built" within "$build" env JOBS="$jobs" WORK=/tmp/one /source/tools/deb /first || continue
  holds "it is built again in another folder" within "$build" env JOBS="$jobs" WORK=/var/tmp/another/place /source/tools/deb /second || continue
  holds "equal bytes" sh -c "cd '$build/first' && for f in *.deb; do cmp \$f ../second/\$f || exit 1; done"
  holds "lintian has nothing to say" within "$build" sh -c 'test -z "$(lintian --allow-root --fail-on none --suppress-tags bad-distribution-in-changes-file /first/*.changes | tee /dev/stderr)"'
  mmdebstrap --quiet --variant=minbase "$release" "$clean" >"$work/$release.log" 2>&1 || { cat "$work/$release.log"; failed=$((failed + 1)); continue; }
  cp "$build"/first/*.deb "$clean/root/"
  # Documents and manual pages of packages are part of what is tried.
  rm -f "$clean"/etc/dpkg/dpkg.cfg.d/*
  holds "it can be installed" within "$clean" sh -c 'apt-get -qq update && apt-get -qq -y --no-install-recommends install /root/twoproof_*.deb' || continue
  holds "version" says "^twoproof [0-9.]+ \(Debian [0-9.]+\)$" within "$clean" twoproof --version
  holds "a proof" result_of "^RESULT: true$" arrays/binary_search.c
  holds "a refutation" result_of "^RESULT: false" arrays/binary_search_bad.c
  holds "a proof by shapes" says "^RESULT: true$" within "$clean" twoproof check --config=shape /usr/share/doc/twoproof/examples/shapes/append.c
  holds "a contract" says "^RESULT: false" within "$clean" twoproof spec /usr/share/doc/twoproof/examples/spec/topo_bad.c
  holds "memory safety, with sanitizers" says "^RESULT: false" within "$clean" sh -c 'printf "#include <stdlib.h>\nint main(void) { int *p = malloc(8); return p[2]; }\n" >/root/a.c; twoproof check --property=valid-memsafety /root/a.c'
  holds "manual pages" test -e "$clean/usr/share/man/man1/twoproof-check.1.gz"
  holds "completions" test -e "$clean/usr/share/bash-completion/completions/twoproof"
  holds "it can be removed" within "$clean" sh -c 'apt-get -qq -y purge twoproof && ! find /usr -name "*twoproof*" | grep .'
done
cd "$checkout" && echo "$passed passed, $failed failed"
[ $failed = 0 ]
