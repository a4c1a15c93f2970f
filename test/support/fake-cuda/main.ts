import { buildFakeCuda } from "./build.ts";

/** Builds the fake GPU and prints the variables that make this program use it, for a shell. */
const built = await buildFakeCuda();
if ("reason" in built) {
  process.stderr.write(`${built.reason}\n`);
  process.exitCode = 1;
} else {
  const lines = Object.entries(built.env).map(([name, value]) => `${name}=${value}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}
