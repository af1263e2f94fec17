#!/bin/sh
# Bundle lib/report/src and its libraries into lib/report/report.js, which is committed: building the repository needs no npm.
# usage: lib/report/build.sh   (needs node and npm; installs what package-lock.json says into a temporary folder)
set -eu
cd "$(dirname "$0")"
work=${TWOPROOF_NPM:-$(mktemp -d)}
[ -n "${TWOPROOF_NPM:-}" ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
cp -r package.json package-lock.json src "$work"
(cd "$work" && { [ -x node_modules/.bin/esbuild ] || npm ci --no-audit --no-fund --silent; } &&
  node_modules/.bin/esbuild src/main.js --bundle --minify --format=iife --target=es2019 --charset=ascii --line-limit=400 \
    --legal-comments=none --log-level=warning --outfile=report.js)
cp "$work/report.js" report.js
{
  echo "Libraries in report.js, with their licences."
  for name in d3-color d3-dispatch d3-drag d3-ease d3-interpolate d3-selection d3-timer d3-transition d3-zoom highlight.js; do
    version=$(sed -n 's/^  "version": "\(.*\)",*$/\1/p' "$work/node_modules/$name/package.json")
    printf '\n---- %s %s\n\n' "$name" "$version"
    cat "$work/node_modules/$name/LICENSE"
  done
} >LICENSES.txt
wc -c report.js
