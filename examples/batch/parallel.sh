#!/usr/bin/env bash
# Converts what is in a folder in shares, with GNU parallel: on the cores of this machine, or over ssh on others that
# see the same files.
#
# usage: parallel.sh INPUT OUTPUT SHARES [OPTION OF PARALLEL...]
#        parallel.sh models converted 8
#        parallel.sh models converted 64 --sshlogin node1,node2 --workdir .
#
# Each share works on one file at a time and leaves a report beside OUTPUT; at the end they are one. Started again, it
# converts what has changed.
set -euo pipefail
input=$1 output=$2 shares=$3
shift 3
reports=$output.reports
mkdir -p "$output" "$reports"
rm -f "$reports"/*.jsonl
# A share in which a file fails ends with 1: that stops nobody, and the sum of all says it at the end.
seq "$shares" | parallel --will-cite --quote "$@" \
    effigy convert "$input" -o "$output/" --to glb --jobs 1 --quiet \
    --shard "{}/$shares" --report "$reports/{}.jsonl" || true
effigy report merge "$reports"/*.jsonl -o "$output.jsonl"
