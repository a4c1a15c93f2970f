#!/bin/sh
# HealthCheckProgram of slurmd: is this node still good? Runs as root on idle nodes now and then
# (HealthCheckInterval, HealthCheckNodeState=IDLE), and whenever slurmd starts, and drains its node when it
# is proved bad. A node with jobs is not asked, nor one that somebody stopped already, which keeps the
# reason it has.
PATH=${PATH:-/usr/sbin:/usr/bin:/sbin:/bin}
export PATH
/bin/sh "$(dirname -- "$0")/gate.sh" health
code=$?
case $code in
  0 | 10) exit 0 ;;
esac
logger -t tessera-health -- "gate.sh or gate.env is broken ($code)"
exit 0
