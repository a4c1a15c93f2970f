import type { DeviceStream } from "./device-stream.ts";

/**
 * A stretch of GPU memory as the driver gave it, used by one buffer after the other. It knows which
 * streams worked on it, so that the next buffer's work comes after the last one's.
 */
export class MemoryBlock {
  readonly address: bigint;
  readonly bytes: number;
  purpose = "";
  #users: DeviceStream[] = [];
  #usersBefore: readonly DeviceStream[] = [];

  constructor(address: bigint, bytes: number) {
    this.address = address;
    this.bytes = bytes;
  }

  /** Work on this stream uses the block from now on. */
  touch(stream: DeviceStream): void {
    if (this.#users.includes(stream)) return;
    for (const before of this.#usersBefore) {
      if (before !== stream) stream.comeAfter(before);
    }
    this.#users.push(stream);
  }

  /** Its buffer was freed. */
  retire(): void {
    // The streams of this life came after those before; of a life without use, those still count.
    if (this.#users.length > 0) this.#usersBefore = this.#users;
    this.#users = [];
  }
}
