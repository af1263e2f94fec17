#!/bin/bash
# The gate fails on what it is for: planted losses, wrong verdicts, slower classes; and on nothing else.
. "$(dirname "$0")/common"
cat >"$dir/planted.py" <<'P'
import importlib.machinery, importlib.util, sys
loader = importlib.machinery.SourceFileLoader("gate", "tools/gate")
gate = importlib.util.module_from_spec(importlib.util.spec_from_loader("gate", loader))
loader.exec_module(gate)
keys = [("own:examples/a/%d.yml" % i, "unreach-call") for i in range(4)]
old = {k: ("true", 1.0) for k in keys}
old[keys[3]] = ("unknown", 30.0)
same = {k: (old[k][0], "right", old[k][1]) for k in keys}
def check(name, changes, scale, bad, good):
    new = {k: v for k, v in {**same, **changes}.items() if v}
    found = gate.compare(old, new, scale)
    words = [l.split()[0] for l in found[0]], [l.split()[0] for l in found[1]]
    if words != (bad, good): sys.exit(f"{name}: {found}")
check("the same", {}, 1, [], [])
check("a lost verdict", {keys[0]: ("unknown", "unknown", 1.0)}, 1, ["lost"], [])
check("a wrong verdict", {keys[0]: ("false(unreach-call)", "wrong", 1.0)}, 1, ["WRONG"], [])
check("another verdict", {keys[0]: ("false(unreach-call)", "unchecked", 1.0)}, 1, ["changed"], [])
check("a gained verdict", {keys[3]: ("true", "right", 2.0)}, 1, [], ["gained"])
check("a missing task", {keys[0]: None}, 1, ["missing"], [])
check("a new task", {("own:examples/a/9.yml", "unreach-call"): ("true", "right", 1.0)}, 1, [], ["new"])
check("9 % more", {k: ("true", "right", 1.09) for k in keys[:3]}, 1, [], [])
check("12 % more", {k: ("true", "right", 1.12) for k in keys[:3]}, 1, ["slower"], [])
check("12 % more on a machine that is 12 % slower", {k: ("true", "right", 1.12) for k in keys[:3]}, 1.12, [], [])
check("12 % less", {k: ("true", "right", 0.88) for k in keys[:3]}, 1, [], ["faster"])
P
expect "planted differences" 0 "" python3 "$dir/planted.py"
expect "the baseline has every task of its own" 0 "" sh -c 'find examples bench/synergy -name "*.yml" | while read -r f; do grep -q "^own:$f	" bench/gate/baseline.tsv || echo "$f"; done | { ! grep .; }'
finish
