#!/bin/sh
# Prolog of slurmd: may a job start on this node? Runs as root before the job. When the answer is no, the
# node is drained with the reason and the job goes back into the queue.
PATH=${PATH:-/usr/sbin:/usr/bin:/sbin:/bin}
export PATH
/bin/sh "$(dirname -- "$0")/gate.sh" prolog
code=$?
# Only this code keeps a job from starting. Else a copy that is half there would drain every node.
case $code in
  0) exit 0 ;;
  10) exit 1 ;;
esac
logger -t tessera-prolog -- "job ${SLURM_JOB_ID:-none}: gate.sh or gate.env is broken ($code)"
exit 0
