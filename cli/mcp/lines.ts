/** The maximum size of a message in bytes. The largest ones configure a schema. */
const MESSAGE_BYTES_MAX = 1_024 * 1_024;

/** Bytes that are kept of each end of a longer message: enough for its id, which clients write first or last. */
const END_BYTES = 256;

const LINE_FEED = 0x0a;

/** A line over the bound, of which only both ends are kept. */
export interface CutLine {
  readonly ends: string;
}

/** Splits bytes into lines without their ends. */
export class LineSplitter {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  /** Takes the next bytes, and returns the lines that they complete. */
  take(chunk: Uint8Array): (string | CutLine)[] {
    const lines: (string | CutLine)[] = [];
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
  end(): string | CutLine {
    // Without a byte order mark.
    const text = new TextDecoder().decode(Buffer.concat(this.#pieces));
    const line = this.#bytes > MESSAGE_BYTES_MAX ? { ends: text } : text;
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    if (this.#bytes <= MESSAGE_BYTES_MAX) return;
    const kept = Buffer.concat(this.#pieces);
    this.#pieces = [Buffer.from(kept.subarray(0, END_BYTES)), Buffer.from(kept.subarray(-END_BYTES))];
  }
}
