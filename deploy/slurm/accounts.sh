#!/bin/sh
# The rights of the user `tessera`, where there is accounting. Run once, as an administrator of Slurm.
set -eu
sacctmgr --immediate add account tessera Description="validation of nodes" Organization=infrastructure
sacctmgr --immediate add user tessera Account=tessera AdminLevel=Admin
# Only where PreemptType=preempt/qos: a QOS that the QOS of users preempts.
if [ "${1:-}" = qos ]; then
  sacctmgr --immediate add qos tessera
  sacctmgr --immediate modify qos tessera set Priority=0 PreemptMode=cancel GraceTime=0
  sacctmgr --immediate modify qos normal set Preempt+=tessera
  sacctmgr --immediate modify user tessera set QOS+=tessera
fi
