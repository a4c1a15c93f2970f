import { statfs } from "node:fs/promises";

export interface FileSystem {
  /** `ext4 or similar`, `NFS`. */
  readonly name: string;
  /** Whether other machines may write it too, so that shared memory and locks cannot be trusted. */
  readonly network: boolean;
}

// The f_type of statfs(2), from linux/magic.h and from the file systems that live outside it.
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "CIFS"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x65735546, "FUSE"],
  [0x00c36400, "Ceph"],
  [0x19830326, "BeeGFS"],
  [0x20030528, "OrangeFS"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x7461636f, "OCFS2"],
  [0x01161970, "GFS2"],
  [0x786f4256, "VirtualBox shared folder"],
]);

const localTypes: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext4"],
  [0x58465342, "XFS"],
  [0x9123683e, "Btrfs"],
  [0x2fc12fc1, "ZFS"],
  [0x01021994, "tmpfs"],
  [0x794c7630, "overlay"],
  [0xf2f52010, "F2FS"],
]);

/** What a statfs type number means. Only Linux has these; elsewhere every type counts as local. */
export function fileSystemOfType(type: number, platform: string = process.platform): FileSystem {
  if (platform !== "linux") return { name: "local", network: false };
  // Some libraries hand the 32 bits out as a negative number.
  const unsigned = type >>> 0;
  const network = networkTypes.get(unsigned);
  if (network !== undefined) return { name: network, network: true };
  const name = localTypes.get(unsigned) ?? `of type 0x${unsigned.toString(16)}`;
  return { name, network: false };
}

/** The file system that holds a path, which must exist. */
export async function fileSystemOf(path: string): Promise<FileSystem> {
  return fileSystemOfType((await statfs(path)).type);
}
