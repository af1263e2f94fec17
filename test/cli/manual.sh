#!/bin/bash
# Manual pages have every command, every option and every exit status; nothing in them is wrong man(7); their examples can be typed.
. "$(dirname "$0")/common"
max_lines=200
export LC_ALL=C
mkdir "$dir/pages" "$dir/bin"
ln -s "$tool" "$dir/bin/twoproof"
commands=$("$tool" --document-commands)
"$tool" --document-manual >"$dir/pages/twoproof.1"
for c in $commands; do "$tool" --document-manual="$c" >"$dir/pages/twoproof-$c.1"; done

# Names of options in a help text and in a page.
of_help() { "$tool" "$1" --help=all | grep -oE -- '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort; }
of_page() { sed 's/\\-/-/g' "$dir/pages/twoproof-$1.1" | grep -oE '^(\\fB-.\\fR, )?\\fB--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort; }
expect "commands of the overview" 0 "" sh -c "for c in $(echo $commands); do grep -q \"^.BR twoproof.-\$c (1)\" '$dir/pages/twoproof.1' || exit 1; done"
for c in $commands; do
  if ! "$tool" "$c" --help | grep -q '^Usage: .*\[options\]'; then
    expect "$c takes its arguments itself" 0 "^.SH DESCRIPTION" "$tool" --document-manual="$c"
    continue
  fi
  of_help "$c" >"$dir/help"
  of_page "$c" >"$dir/page"
  expect "options of $c" 0 "" diff "$dir/help" "$dir/page"
  expect "options of $c are some" 0 "" test "$(wc -l <"$dir/page")" -gt 5
  expect "statuses of $c" 0 "^9$" sh -c "sed -n '/^.SH EXIT STATUS/,/^.SH FILES/p' '$dir/pages/twoproof-$c.1' | grep -c '^[0-9]'"
done
expect "no such page" 64 "no document 'manual=checks'" "$tool" --document-manual=checks
expect "no such shell" 64 "completion=bash" "$tool" --document-completion=csh
expect "no such document" 64 "no document 'option'" "$tool" --document-option

# The language of the pages, by whichever program reads it.
if command -v mandoc >/dev/null; then
  for page in "$dir"/pages/*; do expect "mandoc on ${page##*/}" 0 "" sh -c "! mandoc -T lint -W error '$page' | grep ."; done
fi
if command -v man >/dev/null && command -v groff >/dev/null; then
  for page in "$dir"/pages/*; do expect "man on ${page##*/}" 0 "" sh -c "! man --warnings -E UTF-8 -l '$page' 2>&1 >/dev/null | grep ."; done
fi
command -v mandoc man >/dev/null || echo "neither mandoc nor man-db is installed: the language of the pages was not checked"

# Examples, typed in a folder with a program, its tests and tasks.
mkdir "$dir/work"
cat >"$dir/work/a.c" <<'C'
int __VERIFIER_nondet_int(void);
void reach_error(void) {}
//@ ensures \result == x or \result == y;
int largest(int x, int y) { return x > y ? x : y; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (largest(x, 3) == 7) reach_error();
  return 0;
}
C
mkdir "$dir/work/tasks"
cp "$dir/work/a.c" "$dir/work/tasks"
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >"$dir/work/tasks/unreach-call.prp"
printf "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: false\noptions:\n  language: C\n  data_model: LP64\n" >"$dir/work/tasks/a.yml"
(cd "$dir/work" && "$tool" test --output=suite a.c && "$tool" bench --timelimit=20 --store=runs.db --label=after tasks) >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
for c in $commands; do
  sed -n '/^.SH EXAMPLES/,/^.SH EXIT/p' "$dir/pages/twoproof-$c.1" | sed -n 's/^\\fB\(.*\)\\fR$/\1/p' | sed 's/\\-/-/g; s/\\e/\\/g' >"$dir/examples"
  while read -r line; do
    status='(0|1|5|10)'
    case $line in *run.sh*) status='1[0-9]*' ;; *compare*) status='.*' ;; esac
    rm -rf "$dir/work/suite2"
    expect "example: $line" 0 "" sh -c "cd '$dir/work' && { PATH=$dir/bin:\$PATH sh -c '${line/--output=suite/--output=suite2}'; echo \$? | grep -Exq '$status'; }"
  done <"$dir/examples"
done
finish
