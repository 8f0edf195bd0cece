import type { Duplex } from 'node:stream';

const LINE_END = 0x0a;

interface Receiver {
  /** Bytes of one line. */
  readonly lineBytesMax: number;
  readonly onMessage: (message: unknown) => void;
  /** Called once, for a line that is too long or no JSON. Nothing is read after it. */
  readonly onBroken: () => void;
}

/**
 * Messages as lines of JSON over a stream. The channel that Node opens to child processes throws in the parent for a line that is
 * no JSON, and keeps a line without an end.
 */
export class RoomChannel {
  readonly #stream: Duplex;
  readonly #receiver: Receiver;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(stream: Duplex, receiver: Receiver) {
    this.#stream = stream;
    this.#receiver = receiver;
    stream.on('data', (chunk: Buffer) => this.#read(chunk));
    // The end of the other process shows in its exit, or in the end of the stream.
    stream.on('error', () => stream.destroy());
  }

  /** Sends a message. One to a process that has ended is dropped. */
  send(message: unknown): void {
    if (this.#stream.writable) this.#stream.write(`${JSON.stringify(message)}\n`);
  }

  close(): void {
    this.#stream.destroy();
  }

  #read(chunk: Buffer): void {
    let from = 0;
    while (!this.#stream.destroyed) {
      const end = chunk.indexOf(LINE_END, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      this.#bytes += part.length;
      if (this.#bytes > this.#receiver.lineBytesMax) this.#break();
      this.#parts.push(part);
      if (end < 0 || this.#stream.destroyed) return;
      this.#deliver(Buffer.concat(this.#parts).toString());
      this.#parts = [];
      this.#bytes = 0;
      from = end + 1;
    }
  }

  #deliver(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#break();
      return;
    }
    this.#receiver.onMessage(message);
  }

  #break(): void {
    this.close();
    this.#receiver.onBroken();
  }
}
