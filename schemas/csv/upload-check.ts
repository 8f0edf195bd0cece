import { type Header, HeaderReader } from './header.ts';
import { Utf8Check } from './utf8.ts';

/**
 * Checks of a file what the end of its upload tells, while its bytes go by in pieces of any size: that the whole file is
 * UTF-8, and its header row. Invalid UTF-8 beats every other fault, wherever it stands.
 */
export class UploadCheck {
  readonly #utf8 = new Utf8Check();
  readonly #header = new HeaderReader();

  /** Takes the next bytes of the file. */
  write(chunk: Uint8Array): void {
    this.#utf8.write(chunk);
    this.#header.write(chunk);
  }

  /** Ends the file. */
  finish(): Header {
    const fault = this.#utf8.finish();
    return fault === null ? this.#header.finish() : { kind: 'fault', fault };
  }
}
