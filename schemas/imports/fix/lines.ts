/** Finds the ends of lines, each behind the one before. A search continues where the last one ended, so a text is searched once. */
export class LineEnds {
  readonly #text: string;
  readonly #crEnds: boolean;
  #feed = -1;
  #return = -1;

  /** @param crEnds true if a lone CR ends a line as well */
  constructor(text: string, crEnds: boolean) {
    this.#text = text;
    this.#crEnds = crEnds;
  }

  /** The place of the first line end at or behind a place, which is not before that of an earlier call; or the end of the text. */
  at(from: number): number {
    if (this.#feed < from) this.#feed = this.#find('\n', from);
    if (!this.#crEnds) return this.#feed;
    if (this.#return < from) this.#return = this.#find('\r', from);
    return Math.min(this.#feed, this.#return);
  }

  /** The start of the line behind a line end. */
  behind(end: number): number {
    const length = this.#text.startsWith('\r\n', end) ? 2 : 1;
    return Math.min(this.#text.length, end + length);
  }

  /** The start of the line that is some lines behind a place, or the end of the text. */
  *skip(lines: number, from = 0): Generator<void, number> {
    let at = from;
    for (let left = lines; left > 0 && at < this.#text.length; left -= 1) {
      at = this.behind(this.at(at));
      yield;
    }
    return at;
  }

  #find(sign: string, from: number): number {
    const found = this.#text.indexOf(sign, from);
    return found === -1 ? this.#text.length : found;
  }
}

/**
 * Returns a function that gives the 1-based lines of places, each behind the one before.
 *
 * @param crEnds by default, true for a text without LF: the service counts LF
 */
export function lineCounter(text: string, crEnds = !text.includes('\n')): (at: number) => number {
  const ends = new LineEnds(text, crEnds);
  let line = 1;
  let end = ends.at(0);
  return (at) => {
    for (; end < at; end = ends.at(ends.behind(end))) line += 1;
    return line;
  };
}

/** True if a cell begins or ends between two places: the number of quotes there is odd. */
export function isOpened(text: string, from: number, to: number): boolean {
  const part = text.slice(from, to);
  let isOdd = false;
  for (let at = part.indexOf('"'); at !== -1; at = part.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}
