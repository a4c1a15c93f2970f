#!/bin/sh
# What prolog.sh and health-check.sh have in common: asks whether this node is good, and drains it when not.
# Ends with 10 when the node is not to be used. Every other code but 0 is a script or settings that are
# broken, which say nothing about the node. Nothing of a job becomes part of a command.
set -u
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
tessera=/shared/tessera/bin/tessera gpus='' options='' timeout=20s spare=5 undecided=run reason=tessera/gate
slurm_bin=''
here=$(dirname -- "$0")
settings=$here/gate.env
# shellcheck source=/dev/null
[ ! -r "$settings" ] || . "$settings"

who=$1
node=${SLURMD_NODENAME:-$(hostname -s)}
seconds=${timeout%s}

tell() {
  logger -t "tessera-$who" -- "job ${SLURM_JOB_ID:-none}: $1" || :
}

# The first line of a text, as Slurm, its users and a log can read it.
plain() {
  printf '%s\n' "$1" | grep -a . | head -n 1 | tr -cd ' -~' | tr -d "\"'\\\\" | cut -c 1-200
}

# Slurm's own program. One that is given by its folder runs as root only when nobody else can change it.
control() {
  if [ -n "$slurm_bin" ]; then
    timeout -k 2 5 /bin/sh "$here/root-only.sh" "$slurm_bin/scontrol" || return
  fi
  timeout -k 2 10 "${slurm_bin:+$slurm_bin/}scontrol" "$@"
}

# Whose the node is: `free`, `busy` with jobs, `taken` when somebody stopped it or wrote down a reason, else why
# it was not told.
# Slurm writes the state before any text that people choose.
owner() {
  said=$(control -o show node "$node" 2>&1)
  # Warnings come before it. A comment may have lines, and the reason is behind that.
  about=$(printf '%s\n' "$said" | sed -n '/^NodeName=/,$p')
  case $about in
    *' Reason='*) echo taken && return ;;
    *' State='*) state=${about#*' State='} ;;
    *) echo "whose it is was not told: $(plain "${said:-no answer}")" && return ;;
  esac
  case +${state%% *} in
    *+DRAIN* | *+DOWN* | *+FAIL*) echo taken ;;
    +ALLOCATED* | +MIXED* | *+COMPLETING*) echo busy ;;
    *) echo free ;;
  esac
}

case $seconds in
  '' | *[!0-9]*) tell "timeout in gate.env is not a number of seconds: $timeout" && exit 0 ;;
esac
if [ "$who" = health ]; then
  case $(owner) in
    taken) exit 0 ;;
    # slurmd also runs it at its own start, whatever HealthCheckNodeState says, and jobs live through that: what
    # they use is not missing.
    busy) tell 'the node has jobs, and is asked when it is idle' && exit 0 ;;
  esac
fi

# Whoever can change what runs here as root is root on every node.
if others=$(timeout -k 2 5 /bin/sh "$here/root-only.sh" "$tessera" 2>&1); then
  # A program that a file system keeps from starting cannot watch its own time.
  found=$(timeout -k 2 "$((seconds + spare))" "$tessera" check run --profile prolog --timeout "$timeout" \
    ${gpus:+--gpus "$gpus"} ${options:+--options "$options"} 2>&1)
  code=$?
else
  found="$tessera was not run as root: ${others:-whose it is could not be told within 5 s}"
  code=3
fi
# One line that Slurm and its users can read: the gate's own, not what was said around it.
proof=$(printf '%s\n' "$found" | grep -a '^tessera: [^ ]* is bad (' | head -n 1)
line=${proof:-$(printf '%s\n' "$found" | grep -a . | head -n 1)}
line=$(printf '%s' "$line" | tr -cd ' -~' | tr -d "\"'\\\\" | cut -c 1-200)
case $code in
  124 | 137) line="no answer within $((seconds + spare)) s" ;;
esac
line=${line:-it could not be asked ($code)}
if [ "$who" = prolog ] || [ "$code" -ne 0 ]; then tell "$line"; fi

# Proof is 1 together with its words: a program that cannot start may end with 1 as well.
if [ "$code" -eq 0 ]; then exit 0; fi
verdict='found bad'
if [ "$code" -ne 1 ] || [ -z "$proof" ]; then
  if [ "$undecided" = run ]; then exit 0; fi
  verdict='not proved good'
fi
# Asked again, because meanwhile somebody may have come first. Slurm's own reason would be "Prolog error".
kept=$(owner)
if [ "$kept" = free ] || [ "$kept" = busy ]; then
  if said=$(control update "NodeName=$node" State=DRAIN "Reason=$reason: $line" 2>&1); then
    kept=drained
  else
    kept=$(plain "${said:-no answer}")
  fi
fi
case $kept in
  taken | drained) ;;
  *) tell "the node was $verdict and could not be drained: $kept" ;;
esac
printf '%s\n' "$line" >&2
exit 10
