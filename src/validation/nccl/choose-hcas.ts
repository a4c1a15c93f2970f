import type { HcaPort } from "./hca-port.ts";

/** The cards a loop-back must go through, and why these. */
export interface ChosenHcas {
  readonly hcas: readonly string[];
  /** For NCCL_IB_HCA: exactly these ports. */
  readonly variable: string;
  readonly reason: string;
}

/**
 * Chooses the network cards under test: those that are named; else those that the user's
 * NCCL_IB_HCA names exactly; else the active InfiniBand ports with the highest rate, since slower
 * ones are for storage and management.
 *
 * @returns undefined when there is none.
 */
export function chooseHcas(o: {
  readonly ports: readonly HcaPort[];
  readonly named?: readonly string[];
  readonly variable?: string | undefined;
}): ChosenHcas | undefined {
  const { ports, named } = o;
  if (named !== undefined && named.length > 0) return chosen(named, "named by the options");
  const exact = hcasOfVariable(o.variable);
  if (exact !== undefined) return chosen(exact, "named by NCCL_IB_HCA");
  const usable = ports.filter(({ active, linkLayer }) => active && linkLayer === "InfiniBand");
  const fastest = Math.max(...usable.map(({ rateGbps }) => rateGbps ?? 0));
  const best = usable.filter(({ rateGbps }) => (rateGbps ?? 0) === fastest);
  if (best.length === 0) return undefined;
  const rate = fastest > 0 ? ` of ${fastest} Gb/s` : "";
  return chosen(
    best.map(({ hca, port }) => `${hca}:${port}`),
    `the active InfiniBand ports${rate}`,
  );
}

/**
 * The cards that a value of NCCL_IB_HCA names: `=mlx5_0:1,mlx5_1:1`. Undefined when it names none
 * exactly, such as a beginning of names or those to leave out.
 */
export function hcasOfVariable(value: string | undefined): readonly string[] | undefined {
  if (value === undefined || !value.startsWith("=")) return undefined;
  const names = value
    .slice(1)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length === 0 ? undefined : names;
}

function chosen(names: readonly string[], reason: string): ChosenHcas {
  const hcas = [...new Set(names.map((name) => name.replace(/:\d+$/, "")))];
  return { hcas, variable: `=${names.join(",")}`, reason };
}
