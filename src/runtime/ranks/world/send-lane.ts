import type { Socket } from "node:net";

/** The sending end of a one-way connection. What is written must stay as it is until it is sent. */
export class SendLane {
  readonly #socket: Socket;
  #lost: Error | undefined;
  #onLost: (error: Error) => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    const lose = (error: Error) => {
      this.#lost ??= error;
      this.#onLost(this.#lost);
    };
    socket.on("error", lose);
    socket.once("close", () => lose(new Error("its connection was closed")));
    // The other side has nothing to say; reading shows when it goes.
    socket.on("data", () => socket.destroy());
    socket.resume();
  }

  /** Hands bytes to the system; no copy is made. @param onSent called when they have left. */
  write(bytes: Uint8Array, onSent: () => void): void {
    if (this.#lost !== undefined) {
      this.#onLost(this.#lost);
      return;
    }
    this.#socket.write(bytes, (error) => {
      if (error === undefined || error === null) onSent();
    });
  }

  /** Holds back what is written until `uncork`, so that small pieces leave together. */
  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  /** Told when the connection is lost, now or later; replaces who was told before. */
  watch(onLost: (error: Error) => void): void {
    this.#onLost = onLost;
    if (this.#lost !== undefined) onLost(this.#lost);
  }

  close(): void {
    this.#socket.destroy();
  }
}
