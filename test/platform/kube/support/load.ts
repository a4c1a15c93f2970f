import { expect } from "vitest";
import { formatError, isTesseraError } from "../../../../src/platform/errors/index.ts";
import { type LoadKubeConfigOptions, loadKubeConfig } from "../../../../src/platform/kube/index.ts";
import { createRealClock } from "../../../../src/platform/time/index.ts";

const clock = createRealClock();

/** Loads with an empty environment. */
export function load(options: Partial<LoadKubeConfigOptions>) {
  return loadKubeConfig({ env: {}, clock, ...options });
}

/** The paragraph a user would see. */
export async function complaint(options: Partial<LoadKubeConfigOptions>): Promise<string> {
  const error = await load(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isTesseraError(error)) throw new Error(`no TesseraError: ${String(error)}`);
  expect(error.exitCode).toBe(2);
  return formatError(error);
}
