import { Socket } from "node:net";

/**
 * A socket on which garbage ends the connection. pg reads messages inside the socket's `data` event, and what its parser throws
 * there cannot be caught: it would end the process.
 */
export class GuardedSocket extends Socket {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== "data") return super.emit(event, ...args);
    try {
      return super.emit(event, ...args);
    } catch (error) {
      this.destroy(new Error("Connection terminated: what came is none of Postgres's", { cause: error }));
      return true;
    }
  }
}
