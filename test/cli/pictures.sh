#!/bin/bash
# Pictures of heaps: what they show, that they are the same each time, that Graphviz reads them, what happens without it.
. "$(dirname "$0")/common"

# has NAME PATTERN FILE...: a line of the files matches.
has() {
  why=
  name=$1 pattern=$2
  shift 2
  cat "$@" 2>/dev/null | grep -Eq -e "$pattern" || why="no line of $* matches '$pattern'"
  verdict_of_case
}

draw() { expect "$1" "$2" "$3" "$tool" check --engine=cpa "--config=$4" "--pictures=$dir/$5" "$6"; }

# ---- three-valued graphs: a list that is half reversed
draw "a proof with pictures" 0 "RESULT: true" shape reverse examples/shapes/reverse.c
has "a summary node has a double border" 'peripheries=2, label="data = 1\\nreach\[list\]"' "$dir"/reverse/loop-21-*.dot
has "what is not known is dotted" '^  n[0-9] -> n[0-9] \[label="next", style=dotted\]' "$dir"/reverse/loop-21-*.dot
has "a pointer is definite" '^  p[0-9] -> n0 \[label=""\]' "$dir"/reverse/loop-21-*.dot
has "null is the sign for ground" '>reversed</TD><TD><TABLE' "$dir"/reverse/loop-21-*.dot
has "the page shows them" '<img src="loop-21-1.svg"' "$dir/reverse/index.html"
has "the page names places" 'end of main' "$dir/reverse/index.html"
draw "once more" 0 "RESULT: true" shape again examples/shapes/reverse.c
expect "the same bytes" 0 "" diff -r "$dir/reverse" "$dir/again"
why=
for f in "$dir"/reverse/*.dot; do [ -s "${f%.dot}.svg" ] && grep -q "<svg" "${f%.dot}.svg" || why="$why; no ${f%.dot}.svg"; done
name="a drawing for each" && verdict_of_case
draw "who does not know has pictures of what it knows" 5 "RESULT: unknown" shape broken examples/shapes/reverse_bad.c
has "of errors, too" "^<h2>error at .*reverse_bad.c:32:7, in main" "$dir/broken/index.html"

# ---- explicit heaps
cat >"$dir/cells.c" <<'C'
#include <stdlib.h>
void reach_error(void) { abort(); }
struct tree { struct tree *left, *right; int key; };
int main(void) {
  struct tree *root = NULL, *gone = malloc(sizeof *gone);
  gone->key = -7;
  for (int i = 0; i < 3; i++) {
    struct tree *fresh = malloc(sizeof *fresh);
    fresh->left = NULL;
    fresh->key = i * i;
    fresh->right = root;
    root = fresh;
  }
  free(gone);
  while (root->right) root = root->right;
  if (root->key || !gone) reach_error();
  return 0;
}
C
draw "cells one by one" 0 "RESULT: true" heap cells "$dir/cells.c"
has "a box has the type's name and its fields" '<B>struct tree</B>.*>right</TD>.*>key</TD><VR/><TD[^>]*>4</TD>' "$dir"/cells/loop-15-*.dot
has "numbers as the program writes them" '>-7</TD>' "$dir"/cells/loop-7-*.dot
has "a field leads to a box" '^  c[0-9]:f[0-9]:e -> c[0-9] \[' "$dir"/cells/loop-15-*.dot
has "what is freed is marked" '&#215;</B>&#160;&#160;<B>struct tree</B> <I>freed' "$dir"/cells/loop-15-*.dot

# ---- counterexamples of contracts: before and after in one picture, with what differs
spec() { expect "$1" 10 "a picture: $dir/$2/add.svg" "$tool" spec --objects=2 --unroll=2 --width=3 --function=add "--pictures=$dir/$2" examples/spec/ring_bad.c; }
spec "a counterexample has a picture" ring
has "which clause fails" 'label="add\(\) fails: ensures is_ring' "$dir/ring/add.dot"
has "the heap before" 'subgraph cluster_before' "$dir/ring/add.dot"
has "the heap after" 'subgraph cluster_after' "$dir/ring/add.dot"
has "what is changed has a sign and a colour" 'a[0-9]+ .*BGCOLOR="#ffe0b2"><B>&#8800;</B>.*next</TD>' "$dir/ring/add.dot"
has "and its arrow is thicker" 'a[0-9]+:f0:e -> a[0-9]+ \[.*penwidth=2.4' "$dir/ring/add.dot"
has "what is new has a sign" 'a[0-9]+ .*<B>\+</B>&#160;&#160;<B>item1' "$dir/ring/add.dot"
has "its room is kept before" 'b[0-9]+ .*style=invis, .*item1' "$dir/ring/add.dot"
has "statements with values" 'i-&gt;next&#160;=&#160;l-&gt;next&#160;.*//&#160;l-&gt;next&#160;=&#160;item0' "$dir/ring/add.dot"
spec "once more" ring_again
expect "the same bytes" 0 "" diff -r "$dir/ring" "$dir/ring_again"
cat >"$dir/drop.c" <<'C'
#include <stdlib.h>
struct cell { struct cell *next; int data; };
struct cell *top;
//@ requires top != null and top.next != top
//@ ensures top' = top.next and top'.data' = 1
void drop(void) { struct cell *c = top; top = c->next; free(c); }
int first(struct cell *c) { return c->next->data; }
C
expect "a global, an object that is gone" 10 "" "$tool" spec --objects=2 --function=drop "--pictures=$dir/drop" "$dir/drop.c"
has "the global is changed" '<B>globals</B>.*&#8800;</B>&#160;&#160;top</TD>' "$dir/drop/drop.dot"
has "the object is gone" '&#215;</B>&#160;&#160;<B>cell[0-9]</B> <I>gone' "$dir/drop/drop.dot"
expect "who never returns has no heap after" 10 "" "$tool" spec --objects=2 --function=first "--pictures=$dir/first" "$dir/drop.c"
expect "only one panel" 1 "" grep -q cluster_after "$dir/first/first.dot"

# ---- what cannot be drawn
printf 'int main(void) { return 0; }\n' >"$dir/none.c"
expect "who has no heap says so" 0 "no pictures: .*--config=shape" "$tool" check --engine=bmc "--pictures=$dir/none" "$dir/none.c"
# the compilers themselves: a cache's wrapper in front of them would look for them in this PATH
itself() { type -ap "$1" | while read -r p; do case $(readlink -f "$p") in */ccache) ;; *) echo "$p"; break ;; esac; done; }
mkdir "$dir/bin" && for t in clang-19 clang gcc ld as cc; do p=$(itself $t) && [ -n "$p" ] && ln -s "$p" "$dir/bin/$t"; done
expect "without Graphviz there is the text" 0 "'dot' is not installed \(package graphviz\)" env PATH="$dir/bin" "$tool" check --engine=cpa --config=shape "--pictures=$dir/bare" examples/shapes/reverse.c
expect "the text is the same" 0 "" diff "$dir/reverse/loop-21-1.dot" "$dir/bare/loop-21-1.dot"
has "the page has it" '<a href="loop-21-1.dot">' "$dir/bare/index.html"
touch "$dir/file"
expect "no folder, no run" 64 "cannot write to directory" "$tool" check "--pictures=$dir/file" "$dir/none.c"
finish
