#!/bin/sh
# k-induction on the pairs in pairs.txt (test/pairs.common). Run from anywhere; TWOPROOF names the program to test; an argument is a pattern of names.
cd "$(dirname "$0")/../.." || exit 1
pairs=test/kinduction/pairs.txt engine=kinduction limit=${TP_SOAK:+4}
. test/pairs.common
