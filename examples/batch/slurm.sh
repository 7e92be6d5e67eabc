#!/usr/bin/env bash
# Converts what is in a folder as a Slurm job array: each task of it takes a share, on whichever node it runs. The nodes
# see the same files.
#
# usage: sbatch --array=1-100 --cpus-per-task=8 slurm.sh INPUT OUTPUT
#        effigy report merge OUTPUT.reports/*.jsonl -o OUTPUT.jsonl      when all have ended
#
# A task that was ended by a time limit, or a node that was lost, is started again by the same line: it goes on.
set -euo pipefail
input=$1 output=$2
mkdir -p "$output" "$output.reports"
effigy convert "$input" -o "$output/" --to glb --quiet \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --report "$output.reports/$SLURM_ARRAY_TASK_ID.jsonl"
