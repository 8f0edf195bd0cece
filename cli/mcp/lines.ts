/** The maximum size of a message in bytes. The largest ones configure a schema. */
const MESSAGE_BYTES_MAX = 1_024 * 1_024;

const LINE_FEED = 0x0a;

/** Splits bytes into lines without their ends. A line over the bound is null, and none of it is kept. */
export class LineSplitter {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  /** Takes the next bytes, and returns the lines that they complete. */
  take(chunk: Uint8Array): (string | null)[] {
    const lines: (string | null)[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      this.#keep(chunk.subarray(from, end));
      lines.push(this.end());
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  /** Returns what is there of the last line. */
  end(): string | null {
    const line = this.#bytes > MESSAGE_BYTES_MAX ? null : Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > MESSAGE_BYTES_MAX) this.#pieces = [];
    else this.#pieces.push(piece);
  }
}
