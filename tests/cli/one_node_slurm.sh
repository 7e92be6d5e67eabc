#!/usr/bin/env bash
# Runs a command with a Slurm of one node around it: munged, slurmctld and slurmd of its own, which end with it.
# usage: one_node_slurm.sh COMMAND...      exit code 77: the daemons do not start here
set -uo pipefail
home=$(mktemp -d) node=$(hostname -s) port=$((20000 + $$ % 20000))
daemons=()
finish() {
    kill "${daemons[@]}" 2>/dev/null
    wait
    rm -rf "$home"
}
trap finish EXIT
mkdir "$home/state" "$home/spool"
cat >"$home/slurm.conf" <<EOF
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
AuthInfo=socket=$home/munge.socket
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
SlurmctldPort=$port
SlurmdPort=$((port + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
NodeName=$node NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES State=UP
EOF
export SLURM_CONF=$home/slurm.conf PATH=$PATH:/usr/sbin

start() { # NAME COMMAND...
    "${@:2}" >"$home/$1.out" 2>&1 &
    daemons+=($!)
}
until_true() { # COMMAND...
    for _ in {1..300}; do
        "$@" >"$home/asked.out" 2>&1 && return
        sleep 0.1
    done
    cat "$home"/*.out >&2
    exit 77
}
is_idle() { sinfo -h -o %T | grep -q idle; }

(umask 077 && dd if=/dev/urandom of="$home/key" bs=128 count=1 2>/dev/null)
start munged munged -F --force --key-file="$home/key" --socket="$home/munge.socket" --pid-file="$home/munge.pid" \
    --log-file="$home/munge.log" --seed-file="$home/munge.seed"
until_true test -S "$home/munge.socket"
start slurmctld slurmctld -D -f "$SLURM_CONF"
start slurmd slurmd -D -f "$SLURM_CONF"
until_true is_idle
"$@"
