import { onTestFinished } from "vitest";
import type { FakeCuda } from "./build.ts";

/** For the title of a test that needs the fake GPU: empty, or why it is skipped. */
export function reasonOf(fake: FakeCuda | { readonly reason: string }): string {
  return "reason" in fake ? ` (skipped: ${fake.reason})` : "";
}

/** Sets variables of this process until the test ends; the fake libraries read them there. */
export function withFakeEnv(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}
