import { type Header, HeaderReader } from './header.ts';
import { Utf8Check } from './utf8.ts';

/**
 * Checks a file while its bytes pass, in pieces of any size, for the answer to its upload: that the whole file is
 * UTF-8, and that its header row is valid. Invalid UTF-8 takes precedence over every other fault, wherever it stands.
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
