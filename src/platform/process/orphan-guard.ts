import { type ChildProcess, spawn } from "node:child_process";
import { signalGroup } from "./group-signals.ts";

// Reads "+ group" and "- group" lines. The end of input means that our process is gone, even by
// SIGKILL: then it kills the groups still listed. It is fixed text; nothing is ever put into it.
const guardScript = `
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) left=
       for g in $groups; do [ "$g" = "$group" ] || left="$left $g"; done
       groups=$left ;;
  esac
done
for g in $groups; do kill -9 "-$g"; done
`;

const live = new Set<number>();
let guard: ChildProcess | undefined;
let listening = false;

/**
 * From now on this process group dies with our process: on a normal exit by our own hand, after
 * SIGKILL by a small shell that waits for its input to end. Without /bin/sh only the former holds.
 */
export function guardGroup(groupId: number): void {
  live.add(groupId);
  if (!listening) {
    listening = true;
    process.on("exit", killAll);
  }
  if (guard === undefined) startGuard();
  else tell("+", groupId);
}

/** The group has ended; its number may be given to others from now on. */
export function releaseGroup(groupId: number): void {
  if (live.delete(groupId)) tell("-", groupId);
}

function killAll(): void {
  for (const groupId of live) signalGroup(groupId, "SIGKILL");
}

function startGuard(): void {
  const child = spawn("/bin/sh", ["-c", guardScript], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard = child;
  const forget = () => {
    if (guard === child) guard = undefined;
  };
  child.on("error", forget).on("exit", forget);
  // The guard must not keep us alive, nor bring us down when it is killed.
  child.unref();
  child.stdin.on("error", forget);
  for (const groupId of live) tell("+", groupId);
}

function tell(sign: "+" | "-", groupId: number): void {
  if (guard?.stdin?.writable) guard.stdin.write(`${sign} ${groupId}\n`);
}
