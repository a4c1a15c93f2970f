/** What says how this machine computes, and nothing about anybody's store, token or run. */
const handedOn: ReadonlySet<string> = new Set([
  "TESSERA_CUDA_LIBRARY_PATH",
  "TESSERA_CACHE",
  "TESSERA_KERNELS",
]);

/**
 * Whether a variable is ours and not for a process that only computes: it would make that the job of a
 * run or another rank, configure it as somebody else, or show it a secret.
 */
export function staysBehind(variable: string): boolean {
  return variable.startsWith("TESSERA_") && !handedOn.has(variable);
}
