import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A message that the server has taken. */
export interface TakenMail {
  readonly from: string;
  readonly to: string;
  /** By lower-case name, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  /** As a person reads them. */
  readonly text: string;
  readonly html: string;
  /** As it came, with CRLF. */
  readonly raw: string;
}

/** An answer other than 250, such as `450 4.2.0 later`. */
export interface Answer {
  readonly code: number;
  readonly text: string;
}

/**
 * The next messages' treatment: `cut` closes the connection in the middle of the message, `cut-after` after its last byte and
 * before the answer, `stall` never answers.
 */
export type Treatment =
  | 'take'
  | 'cut'
  | 'cut-after'
  | 'stall'
  | { readonly recipient: Answer }
  | { readonly data: Answer };

/** A mail server that records what it takes. */
export class MailServer {
  treatment: Treatment = 'take';
  readonly mails: TakenMail[] = [];
  /** Recipients that clients have named, those of refused messages too. */
  readonly recipients: string[] = [];
  /** The connections so far. */
  connections = 0;
  readonly #server: SMTPServer;
  readonly #sockets = new Set<Socket>();
  #wake: () => void = () => {};

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const server = new MailServer(options);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server.server, 'listening');
    return server;
  }

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      ...options,
      onConnect: (_session, done) => {
        this.connections += 1;
        done();
      },
      onRcptTo: ({ address }, _session, done) => {
        this.recipients.push(address);
        this.#wake();
        const { treatment } = this;
        done(typeof treatment === 'object' && 'recipient' in treatment ? failure(treatment.recipient) : null);
      },
      onData: (stream, { envelope }, done) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address).join();
        // A client that ends in the middle of a message has sent none.
        this.#take(stream, { from, to }, done).catch(() => undefined);
      },
    });
    this.#server.on('error', () => undefined);
    this.#server.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Resolves with the mails once there are `count` of them. The test's time limit bounds the wait. */
  async received(count: number): Promise<readonly TakenMail[]> {
    while (this.mails.length < count) await this.#change();
    return this.mails;
  }

  #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  /** Resolves with the first mail to a recipient, once it is there. The test's time limit bounds the wait. */
  async receivedBy(recipient: string): Promise<TakenMail> {
    for (;;) {
      const mail = this.mails.find(({ to }) => to === recipient);
      if (mail !== undefined) return mail;
      await this.#change();
    }
  }

  /** Resolves once a client has named this recipient. The test's time limit bounds the wait. */
  async named(recipient: string): Promise<void> {
    while (!this.recipients.includes(recipient)) await this.#change();
  }

  /** Ends every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  async #take(
    stream: Readable,
    envelope: Pick<TakenMail, 'from' | 'to'>,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const { treatment } = this;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) {
      if (treatment === 'cut') return this.cut();
      chunks.push(chunk);
    }
    if (treatment === 'stall') return;
    if (treatment === 'cut-after') return this.cut();
    if (typeof treatment === 'object' && 'data' in treatment) return done(failure(treatment.data));
    this.mails.push({ ...envelope, ...parseMail(Buffer.concat(chunks).toString('utf8')) });
    done();
    this.#wake();
  }
}

function failure({ code, text }: Answer): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

/** Reads a message of one text and one page, as the service writes them. */
function parseMail(raw: string): Omit<TakenMail, 'from' | 'to'> {
  const { headers, body } = parsePart(raw);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  const parts =
    boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => parsePart(part.trim()));
  const contentOf = (type: string) =>
    parts.find((part) => part.headers['content-type']?.startsWith(type))?.content ?? '';
  return { headers, text: contentOf('text/plain'), html: contentOf('text/html'), raw };
}

function parsePart(part: string) {
  const end = part.indexOf('\r\n\r\n');
  const lines = part
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [name = '', ...value] = line.split(':');
    headers[name.toLowerCase()] = decodeWords(value.join(':').trim());
  }
  const body = part.slice(end + 4);
  return { headers, body, content: decoded(body, headers['content-transfer-encoding'] ?? '') };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? fromQuotedPrintable(body.replaceAll('=\r\n', '')) : body;
}

function fromQuotedPrintable(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Encoded words (RFC 2047). */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : fromQuotedPrintable(text.replaceAll('_', ' ')),
    );
}
