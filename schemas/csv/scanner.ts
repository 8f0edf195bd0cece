import type { FileFaultCode } from '../imports/file-fault-texts.ts';
import type { FileFault } from '../imports/file-faults.ts';

/** The position of one record. Offsets count bytes of the whole file, a BOM included. */
export interface ScannedRecord {
  readonly start: number;
  /** The end of its bytes, exclusive, without the line end. */
  readonly end: number;
  /** The start of the following line. */
  readonly next: number;
  /** 1-based physical line of `start`. */
  readonly line: number;
  /** Fields of the record: commas outside quotes, plus one. */
  readonly columns: number;
  /** Bytes that the fields' JSON texts can need beyond the record's own bytes, because JSON escapes what CSV does not. */
  readonly growth: number;
}

/** A completely empty line. `""` and `,,,` are records with empty fields, and so is a line of spaces. */
export function isBlank(record: ScannedRecord): boolean {
  return record.start === record.end;
}

/** The start of a scan. Only at the start of the file is a BOM dropped. */
export interface ScanOrigin {
  readonly offset: number;
  readonly line: number;
}

const FILE_START: ScanOrigin = { offset: 0, line: 1 };
const BOM = [0xef, 0xbb, 0xbf] as const;

const BYTE = {
  ordinary: 0,
  comma: 1,
  quote: 2,
  cr: 3,
  lf: 4,
  nul: 5,
  shortEscape: 6,
  longEscape: 7,
} as const;
const STATE = {
  recordStart: 0,
  fieldStart: 1,
  unquoted: 2,
  quoted: 3,
  quoteInQuoted: 4,
  afterCr: 5,
} as const;
const ACTION = {
  none: 0,
  countColumn: 1,
  openQuote: 2,
  growShort: 3,
  growLong: 4,
  endRecord: 5,
  failNul: 6,
  failStray: 7,
  failCr: 8,
} as const;

/** `\\`, `\b`, `\t`, `\n`, `\f` and `\r` take two bytes in JSON; every other control character takes six. */
const SHORT_ESCAPE_GROWTH = 1;
const LONG_ESCAPE_GROWTH = 5;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CLASS_OF_BYTE = classOfByte();
const GROWTH_IN_QUOTES = growthInQuotes();
const STEPS = stepTable();

/**
 * Finds the records of a CSV file in pieces of any size, strictly by the rules of
 * infra/docs/reference/imports.md#files: comma, doubled quotes, LF or CRLF or a mix of them outside quotes, anything
 * but NUL inside quotes.
 *
 * It reads bytes and keeps none: no byte of a multi-byte UTF-8 character can be mistaken for a delimiter. The fault
 * that becomes certain first, in the order of bytes, is final. So a NUL inside a quoted field is reported before that
 * field's missing end, which only the end of the file shows. An unclosed quote is reported at its opening, a lone CR
 * at its position, and a stray quote at the quote or at the text behind a closing one.
 *
 * Records, their order and the fault do not depend on the pieces. Time is linear, memory constant.
 */
export class RecordScanner {
  readonly #onRecord: (record: ScannedRecord) => void;
  #fault: FileFault | null = null;
  #state: number = STATE.recordStart;
  /** Offset of the next chunk's first byte. */
  #offset: number;
  #line: number;
  #bomSeen: number;
  #start: number;
  #startLine: number;
  #columns = 1;
  #growth = 0;
  #quoteOffset = 0;
  #quoteLine = 0;

  /** `onRecord` is called for every record in file order, blank ones included, during `write` and `finish`. */
  constructor(onRecord: (record: ScannedRecord) => void, origin: ScanOrigin = FILE_START) {
    this.#onRecord = onRecord;
    this.#offset = origin.offset;
    this.#start = origin.offset;
    this.#line = origin.line;
    this.#startLine = origin.line;
    this.#bomSeen = origin.offset === 0 ? 0 : BOM.length;
  }

  /** Takes the next bytes of the file. Returns the fault as soon as one is certain. */
  write(chunk: Uint8Array): FileFault | null {
    if (this.#fault !== null) return this.#fault;
    const first = this.#bomSeen < BOM.length ? this.#skipBom(chunk) : 0;
    this.#scan(chunk, first);
    this.#offset += chunk.length;
    return this.#fault;
  }

  /** Ends the file: the last record needs no line end. */
  finish(): FileFault | null {
    if (this.#fault !== null || this.#state === STATE.recordStart) return this.#fault;
    if (this.#state === STATE.quoted) this.#fail('unclosed_quote', this.#quoteOffset, this.#quoteLine);
    else if (this.#state === STATE.afterCr) this.#fail('lone_cr', this.#offset - 1, this.#line);
    else this.#endRecord(this.#offset, this.#offset);
    return this.#fault;
  }

  #scan(chunk: Uint8Array, first: number): void {
    const { length } = chunk;
    let state = this.#state;
    for (let index = first; index < length; index += 1) {
      if (state === STATE.quoted) index = this.#passQuoted(chunk, index);
      else if (state === STATE.unquoted) index = passOrdinary(chunk, index);
      if (index === length) break;
      const kind = CLASS_OF_BYTE[chunk[index] as number] as number;
      const step = STEPS[(state << 3) | kind] as number;
      const action = step >> 3;
      if (action !== ACTION.none) {
        const afterCr = state === STATE.afterCr;
        this.#act(action, this.#offset + index, afterCr);
        if (action >= ACTION.failNul) return;
      }
      state = step & 7;
    }
    this.#state = state;
  }

  /**
   * Takes the text of a quoted field and returns the index of its first quote or NUL, which are for the table. Nothing else
   * changes the state there, so the processor need not wait for the state of one byte to read the next.
   */
  #passQuoted(chunk: Uint8Array, first: number): number {
    const { length } = chunk;
    let growth = 0;
    let lines = 0;
    let index = first;
    for (; index < length; index += 1) {
      const byte = chunk[index] as number;
      if (byte > QUOTE && byte !== BACKSLASH) continue;
      const kind = CLASS_OF_BYTE[byte] as number;
      if (kind === BYTE.quote || kind === BYTE.nul) break;
      growth += GROWTH_IN_QUOTES[kind] as number;
      if (kind === BYTE.lf) lines += 1;
    }
    this.#growth += growth;
    this.#line += lines;
    return index;
  }

  #act(action: number, at: number, afterCr: boolean): void {
    switch (action) {
      case ACTION.countColumn:
        this.#columns += 1;
        return;
      case ACTION.openQuote:
        this.#quoteOffset = at;
        this.#quoteLine = this.#line;
        return;
      case ACTION.growShort:
        this.#growth += SHORT_ESCAPE_GROWTH;
        return;
      case ACTION.growLong:
        this.#growth += LONG_ESCAPE_GROWTH;
        return;
      case ACTION.endRecord:
        this.#line += 1;
        this.#endRecord(afterCr ? at - 1 : at, at + 1);
        return;
      case ACTION.failNul:
        this.#fail('nul_byte', at, this.#line);
        return;
      case ACTION.failStray:
        this.#fail('stray_quote', at, this.#line);
        return;
      default:
        this.#fail('lone_cr', at - 1, this.#line);
    }
  }

  #endRecord(end: number, next: number): void {
    const record = {
      start: this.#start,
      end,
      next,
      line: this.#startLine,
      columns: this.#columns,
      growth: this.#growth,
    };
    this.#start = next;
    this.#startLine = this.#line;
    this.#columns = 1;
    this.#growth = 0;
    this.#onRecord(record);
  }

  /**
   * Passes over a BOM that may come one byte a chunk, and returns the index of the first byte behind it. Until all
   * three bytes are seen they count as text, which is what they are when the file is not UTF-8 after all.
   */
  #skipBom(chunk: Uint8Array): number {
    let index = 0;
    while (this.#bomSeen < BOM.length && index < chunk.length) {
      if (chunk[index] !== BOM[this.#bomSeen]) {
        this.#bomSeen = BOM.length;
        return index;
      }
      this.#state = STATE.unquoted;
      this.#bomSeen += 1;
      index += 1;
      if (this.#bomSeen === BOM.length) {
        this.#state = STATE.recordStart;
        this.#start = BOM.length;
      }
    }
    return index;
  }

  #fail(code: FileFaultCode, byteOffset: number, line: number): void {
    this.#fault = { code, line, byteOffset };
  }
}

/** The index of the first byte that is not an ordinary one: inside a field those change nothing. */
function passOrdinary(chunk: Uint8Array, first: number): number {
  let index = first;
  while (index < chunk.length && CLASS_OF_BYTE[chunk[index] as number] === BYTE.ordinary) index += 1;
  return index;
}

function classOfByte(): Uint8Array {
  const classes = new Uint8Array(256);
  classes.fill(BYTE.longEscape, 0, 0x20);
  for (const character of '\\\b\t\f') classes[character.charCodeAt(0)] = BYTE.shortEscape;
  classes[0x00] = BYTE.nul;
  classes[0x0a] = BYTE.lf;
  classes[0x0d] = BYTE.cr;
  classes[0x22] = BYTE.quote;
  classes[0x2c] = BYTE.comma;
  return classes;
}

/** By class of byte, what a byte of a quoted field adds. */
function growthInQuotes(): Uint8Array {
  const growth = new Uint8Array(8);
  for (const kind of [BYTE.cr, BYTE.lf, BYTE.shortEscape]) growth[kind] = SHORT_ESCAPE_GROWTH;
  growth[BYTE.longEscape] = LONG_ESCAPE_GROWTH;
  return growth;
}

/** The scanner's rules as data: for every state and class of byte the next state and what to do. */
function stepTable(): Uint8Array {
  const { recordStart, fieldStart, unquoted, quoted, quoteInQuoted, afterCr } = STATE;
  const step = (next: number, action: number = ACTION.none) => (action << 3) | next;
  const nul = step(unquoted, ACTION.failNul);
  const stray = step(unquoted, ACTION.failStray);
  const loneCr = step(unquoted, ACTION.failCr);
  const comma = step(fieldStart, ACTION.countColumn);
  const lineEnd = step(recordStart, ACTION.endRecord);
  const open = step(quoted, ACTION.openQuote);
  const cr = step(afterCr);
  const text = [step(unquoted), step(unquoted, ACTION.growShort), step(unquoted, ACTION.growLong)] as const;

  const table = new Uint8Array(8 * 8);
  // The order of a row: ordinary, comma, quote, CR, LF, NUL, shortly escaped, longly escaped.
  table.set([text[0], comma, open, cr, lineEnd, nul, text[1], text[2]], recordStart << 3);
  table.set([text[0], comma, open, cr, lineEnd, nul, text[1], text[2]], fieldStart << 3);
  table.set([text[0], comma, stray, cr, lineEnd, nul, text[1], text[2]], unquoted << 3);
  // All other bytes inside quotes are skipped without the table.
  table[(quoted << 3) | BYTE.quote] = step(quoteInQuoted);
  table[(quoted << 3) | BYTE.nul] = nul;
  table.set([stray, comma, step(quoted), cr, lineEnd, nul, stray, stray], quoteInQuoted << 3);
  table.set([loneCr, loneCr, loneCr, loneCr, lineEnd, loneCr, loneCr, loneCr], afterCr << 3);
  return table;
}
