#!/bin/sh
# Engine elements on the pairs in pairs.txt (test/pairs.common): long blocks that are copied or set, strings, folds. Run from anywhere; TWOPROOF names the program to test;
# an argument is a pattern of names.
cd "$(dirname "$0")/../.." || exit 1
pairs=test/elements/pairs.txt engine=elements limit=${TP_SOAK:+6}
. test/pairs.common
