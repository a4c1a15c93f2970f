/**
 * NCCL's configuration of a communicator as its first version, 2.14, laid it out: size, magic
 * number, version, and whether calls block. Every later version takes it and uses its own defaults
 * for what came after.
 */
export function nonBlockingConfig(): Uint8Array {
  const sizeBytes = 24;
  const magic = 0xcafebeef;
  const versionCode = 21_400;
  const undefinedInt = -(2 ** 31);
  const config = Buffer.alloc(sizeBytes);
  config.writeBigUInt64LE(BigInt(sizeBytes), 0);
  config.writeUInt32LE(magic, 8);
  config.writeUInt32LE(versionCode, 12);
  config.writeInt32LE(0, 16);
  // The padding of the first version is a field of the next.
  config.writeInt32LE(undefinedInt, 20);
  return config;
}

/** The first version with a configuration. */
export const nonBlockingSince = 21_400;
