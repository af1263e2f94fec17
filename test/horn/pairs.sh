#!/bin/sh
# Engine horn on the pairs in pairs.txt (test/pairs.common). Run from anywhere; TWOPROOF names the program to test; an argument is a pattern of names.
cd "$(dirname "$0")/../.." || exit 1
pairs=test/horn/pairs.txt engine=horn limit=${TP_SOAK:+6}
. test/pairs.common
