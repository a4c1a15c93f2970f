#!/bin/sh
# The rights of the user `tessera`, where there is accounting, step by step. As an administrator of Slurm:
#   accounts.sh         an account and the user in it: all that tests need where partitions preempt
#   accounts.sh qos     also a QOS that the QOS of users preempts, where PreemptType=preempt/qos
#   accounts.sh admin   only when act.mode is to be `on`: Slurm lets administrators alone drain and resume nodes.
#                       They may also change and end everybody's jobs and accounts. To take it back:
#                       sacctmgr modify user tessera set AdminLevel=None
set -eu
case ${1:-} in
  '' | qos) ;;
  admin)
    sacctmgr --immediate modify user tessera set AdminLevel=Admin
    exit
    ;;
  *)
    echo "accounts.sh knows qos and admin, not $1" >&2
    exit 2
    ;;
esac
sacctmgr --immediate add account tessera Description="validation of nodes" Organization=infrastructure
sacctmgr --immediate add user tessera Account=tessera
if [ "${1:-}" = qos ]; then
  sacctmgr --immediate add qos tessera
  sacctmgr --immediate modify qos tessera set Priority=0 PreemptMode=cancel GraceTime=0
  sacctmgr --immediate modify qos normal set Preempt+=tessera
  sacctmgr --immediate modify user tessera set QOS+=tessera
fi
