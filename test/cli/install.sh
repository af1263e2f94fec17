#!/bin/bash
# make install: what is installed works from anywhere and without the checkout, each part of it is needed, and uninstall leaves nothing.
. "$(dirname "$0")/common"
max_lines=200
checkout=$(pwd)
make -s install-files DESTDIR="$dir/stage" prefix=/opt/two >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
cp test/cpa/linear.c "$dir/linear.c"
cp examples/shapes/append.c "$dir/append.c"
mv "$dir/stage/opt/two" "$dir/moved" # the place is told from the executable, not from the prefix
own=$dir/moved/lib/twoproof
ln -s "$dir/moved/bin/twoproof" "$dir/link"
strip "$dir/moved/bin/twoproof" "$own/twoproof-polyhedra" # debugging information names folders
cd / || exit 1

# An empty folder lies over the checkout, where the kernel lets us.
hide=
for attempt in "unshare -m" "unshare -rm"; do
  if $attempt sh -c 'mount -t tmpfs none "$1" && [ ! -e "$1/Makefile" ]' sh "$checkout" 2>/dev/null; then hide=$attempt; break; fi
done
[ -n "$hide" ] || echo "no mount namespaces here: the checkout stays in sight"
apart() {
  if [ -n "$hide" ]; then $hide sh -c 'mount -t tmpfs none "$1"; shift; exec "$@"' sh "$checkout" "$@"; else "$@"; fi
}

cat >"$dir/text.c" <<'C'
#include <assert.h>
#include <string.h>
int main(void) { char a[8] = "abc"; assert(strlen(a) == 3); return 0; }
C
sed 's/== 3/== 4/' "$dir/text.c" >"$dir/text_bad.c"
printf '#include <string.h>\nunsigned long size(const char *s) { return strlen(s); }\n' >"$dir/library.c"
printf '#include <tp_list.h>\nint size(struct tp_list *l) { return tp_list_length(l); }\n' >"$dir/list.c"
two=$dir/moved/bin/twoproof
polyhedra="--engine=cpa --config=polyhedra"

expect "version" 0 "^twoproof [0-9]" apart "$two" --version
expect "a proof with library models" 0 "^RESULT: true" apart "$two" check "$dir/text.c"
expect "a proof with library models for 32 bits" 0 "^RESULT: true" apart "$two" check --machine=ilp32 "$dir/text.c"
expect "a failure, replayed with library models" 10 "^RESULT: false\(unreach-call\)" apart "$two" check --output="$dir/evidence" "$dir/text_bad.c"
expect "a proof with a shape class" 0 "^RESULT: true" apart "$two" check --config=shape "$dir/append.c"
expect "a proof with polyhedra" 0 "^RESULT: true" apart "$two" check $polyhedra "$dir/linear.c"
expect "contracts of the C library" 0 "libc.contracts:[0-9]*:3: function strlen" apart "$two" spec --check-syntax "$dir/library.c"
expect "headers of containers" 0 "tp_list_length" apart "$two" spec --check-syntax -I "$own/spec" "$dir/list.c"
expect "through a symbolic link" 0 "^RESULT: true" apart "$dir/link" check "$dir/text.c"
expect "no path of the checkout inside" 1 "" grep -rlF "$checkout" "$dir/moved"

# Each part is needed: without it, the case above that uses it is lost.
without() { mv "$own/$1" "$dir/away"; shift; "$@"; got=$?; mv "$dir/away" "$own/$part"; return $got; }
part=libc; expect "without models" 5 "^RESULT: unknown" without $part apart "$two" check "$dir/text.c"
part=shape; expect "without shape classes" 5 "descriptions of lib/shape cannot be read" without $part apart "$two" check --config=shape "$dir/append.c"
part=spec; expect "without contracts" 0 "contracts of the C library are not where this program expects them" without $part apart "$two" spec --check-syntax "$dir/library.c"
part=twoproof-polyhedra; expect "without the helper" 5 "^RESULT: unknown" without $part apart "$two" check $polyhedra "$dir/linear.c"

cd "$checkout" || exit 1
mv "$dir/moved" "$dir/stage/opt/two"
expect "uninstall" 0 "" make -s uninstall DESTDIR="$dir/stage" prefix=/opt/two
expect "uninstall leaves no file" 0 "^0$" sh -c "find '$dir/stage' ! -type d | wc -l"
finish
