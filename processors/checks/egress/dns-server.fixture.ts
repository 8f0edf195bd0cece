import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { type AddressInfo, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const HEADER_BYTES = 12;
const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const RESPONSE_CODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const FLAGS_RESPONSE = 0x81_80;
const FLAG_TRUNCATED = 0x02_00;
const CLASS_IN = 1;
/** Points to the name of the question (RFC 1035, 4.1.4). */
const NAME_OF_QUESTION = Buffer.from([0xc0, HEADER_BYTES]);

/** The records of a name, an error, an answer that says that it is cut off, or no answer at all. */
export type DnsAnswer =
  | { readonly addresses: readonly string[]; readonly alias?: string; readonly isTruncated?: true }
  | { readonly code: keyof typeof RESPONSE_CODES }
  | { readonly silent: true };

/** The answers for a name, one after the other for each type; the last one stays. A name that is not listed is `NXDOMAIN`. */
export interface DnsName {
  readonly A?: readonly DnsAnswer[];
  readonly AAAA?: readonly DnsAnswer[];
}

interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'other';
  readonly bytes: Buffer;
}

/** A name server on this machine. It answers over UDP, with records that nothing may cache. */
export class DnsServer {
  readonly names = new Map<string, DnsName>();
  /** Type and name of every question, in the order of their arrival. */
  readonly asked: string[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (message, sender) => this.#answer(message, sender));
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new DnsServer(socket);
  }

  /** The address in the form in which a resolver takes it. */
  get address(): string {
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`;
  }

  /** Gives a name IPv4 and IPv6 addresses. Each list is one answer. */
  addresses(name: string, ...answers: readonly (readonly string[])[]): void {
    const of = (version: 4 | 6) =>
      answers.map((addresses) => ({ addresses: addresses.filter((address) => isIP(address) === version) }));
    this.names.set(name, { A: of(4), AAAA: of(6) });
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }

  #answer(message: Buffer, { port, address }: RemoteInfo): void {
    const question = questionOf(message);
    const { name, type } = question;
    const before = this.asked.filter((each) => each === `${type} ${name}`).length;
    this.asked.push(`${type} ${name}`);
    const known = this.names.get(name);
    const answers = type === 'other' ? [] : (known?.[type] ?? []);
    const none = known === undefined ? ({ code: 'NXDOMAIN' } as const) : { addresses: [] };
    const answer = answers[Math.min(before, answers.length - 1)] ?? none;
    if ('silent' in answer) return;
    this.#socket.send(encode(message.subarray(0, 2), question, answer), port, address);
  }
}

function questionOf(message: Buffer): Question {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = message.readUInt16BE(at + 1);
  const type = number === TYPES.A ? 'A' : number === TYPES.AAAA ? 'AAAA' : 'other';
  return { name: labels.join('.').toLowerCase(), type, bytes: message.subarray(HEADER_BYTES, at + 5) };
}

function encode(id: Buffer, { bytes }: Question, answer: Exclude<DnsAnswer, { silent: true }>): Buffer {
  const isError = 'code' in answer;
  const records = isError ? [] : recordsOf(answer);
  const truncated = !isError && answer.isTruncated === true ? FLAG_TRUNCATED : 0;
  const header = Buffer.alloc(HEADER_BYTES);
  id.copy(header);
  header.writeUInt16BE(FLAGS_RESPONSE | truncated | (isError ? RESPONSE_CODES[answer.code] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, bytes, ...records]);
}

function recordsOf({ addresses, alias }: Extract<DnsAnswer, { addresses: readonly string[] }>): Buffer[] {
  const owner = alias === undefined ? NAME_OF_QUESTION : nameBytes(alias);
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    return record(owner, data.length === 4 ? TYPES.A : TYPES.AAAA, data);
  });
  return alias === undefined ? records : [record(NAME_OF_QUESTION, TYPES.CNAME, owner), ...records];
}

/** A record with a time to live of 0. */
function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(CLASS_IN, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
