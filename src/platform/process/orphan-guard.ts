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
 * From when it resolves this process group dies with our process: on a normal exit by our own hand,
 * after SIGKILL by a small shell that waits for its input to end. Without /bin/sh only the former
 * holds. Never rejects.
 */
export async function guardGroup(groupId: number): Promise<void> {
  live.add(groupId);
  if (!listening) {
    listening = true;
    process.on("exit", killAll);
  }
  // What the pipe has taken the guard reads, even when we are gone by then.
  if (guard !== undefined && (await tell(guard, "+", [groupId]))) return;
  if (live.has(groupId)) await startGuard();
}

/** The group has ended; its number may be given to others from now on. */
export function releaseGroup(groupId: number): void {
  if (live.delete(groupId) && guard !== undefined) void tell(guard, "-", [groupId]);
}

function killAll(): void {
  for (const groupId of live) signalGroup(groupId, "SIGKILL");
}

async function startGuard(): Promise<void> {
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
  await tell(child, "+", [...live]);
}

/** Whether the words are on their way: no longer in our hands. */
function tell(to: ChildProcess, sign: "+" | "-", groupIds: readonly number[]): Promise<boolean> {
  const { stdin } = to;
  if (!stdin?.writable) return Promise.resolve(false);
  const lines = groupIds.map((groupId) => `${sign} ${groupId}\n`).join("");
  return new Promise((resolve) => {
    stdin.write(lines, (error) => resolve(error === undefined || error === null));
  });
}
