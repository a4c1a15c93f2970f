// node library-script.mjs ENTRY SOURCE: runs SOURCE as a user's program on the built package, which
// it finds as `tessera`. An error reported on purpose is printed as the CLI prints it.
const [entry, source] = process.argv.slice(2);
const tessera = await import(entry);
const AsyncFunction = (async () => {}).constructor;
try {
  await new AsyncFunction("tessera", source)(tessera);
} catch (thrown) {
  if (!tessera.isTesseraError(thrown)) throw thrown;
  process.stderr.write(`${tessera.formatError(thrown)}\n`);
  process.exitCode = tessera.errorTable[thrown.code].exitCode;
}
