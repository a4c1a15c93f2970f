import type { SlurmNode } from "../../../../platform/slurm/index.ts";

const silent: ReadonlySet<string> = new Set(["NOT_RESPONDING", "NO_RESPOND", "POWERED_DOWN"]);

/** Nothing that is asked of it can be hoped for. */
export function doesNotAnswer({ state, flags }: SlurmNode): boolean {
  return state === "DOWN" || flags.some((flag) => silent.has(flag));
}

/** Down, or about to boot: to lift its drain now would be to let users in before it is back. */
export function isDownOrRebooting({ state, flags }: SlurmNode): boolean {
  return state === "DOWN" || flags.some((flag) => flag.startsWith("REBOOT_"));
}

/** Set by an administrator, as a drain is, and never by us: `FAIL`, and `FAILING` while jobs run there. */
export function isFailing({ flags }: SlurmNode): boolean {
  return flags.includes("FAIL");
}

export function isDrained({ flags }: SlurmNode): boolean {
  return flags.includes("DRAIN");
}
