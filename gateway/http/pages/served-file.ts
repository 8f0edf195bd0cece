import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { singleHeader } from '../headers.ts';
import { isNamedBy } from '../records/etag.ts';
import type { WholeAnswer } from '../routing/exchange.ts';

/** Content codings that a file may be kept in besides its own bytes, the preferred first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** A file as it is handed in: its bytes, and the same compressed. */
export interface FileContent {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** By content coding; a file that compression does not shrink has none. */
  readonly coded: Readonly<Partial<Record<Coding, Uint8Array>>>;
}

/** A file that is served from memory, with an entity tag for each coding (RFC 9110, 8.8.3.3). */
export interface ServedFile extends FileContent {
  readonly digest: string;
}

export function servedFile(content: FileContent): ServedFile {
  return { ...content, digest: createHash('sha256').update(content.bytes).digest('base64url') };
}

/** Answers a file in the best coding that the caller accepts, or 304 to a caller that has just this file. */
export function answerFile(
  request: Pick<IncomingMessage, 'headersDistinct'>,
  file: ServedFile,
  headers: Readonly<Record<string, string>>,
): WholeAnswer {
  const accepted = acceptedCodings(request);
  const coding = CODINGS.find((each) => file.coded[each] !== undefined && accepted(each));
  const etag = `"${coding === undefined ? file.digest : `${file.digest}-${coding}`}"`;
  const vary = headers['Vary'] === undefined ? 'Accept-Encoding' : `${headers['Vary']}, Accept-Encoding`;
  const shared = { ...headers, Vary: vary, ETag: etag };
  if (isNamedBy(singleHeader(request, 'if-none-match'), etag)) return { status: 304, headers: shared };
  const encoding: Record<string, string> = coding === undefined ? {} : { 'Content-Encoding': coding };
  return {
    status: 200,
    headers: { ...shared, ...encoding, 'Content-Type': file.contentType },
    bytes: (coding === undefined ? undefined : file.coded[coding]) ?? file.bytes,
  };
}

/** Answers 404 with a file for people. It is whole for every caller: a 304 would stand for a page that is there. */
export function answerMissing(
  { headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>,
  file: ServedFile,
  headers: Readonly<Record<string, string>>,
): WholeAnswer {
  const unconditional = { headersDistinct: { ...headersDistinct, 'if-none-match': undefined } };
  const { headers: answered, ...answer } = answerFile(unconditional, file, headers);
  const { ETag: _etag, ...kept } = answered;
  return { ...answer, status: 404, headers: kept };
}

/** The number of members of `Accept-Encoding` that are read; there are about ten content codings. */
const MEMBERS_MAX = 20;

/** Reads `Accept-Encoding` (RFC 9110, 12.5.3). Without the header a caller gets the plain bytes, which all can read. */
function acceptedCodings({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>) {
  const members = (headersDistinct['accept-encoding'] ?? []).flatMap((value) => value.split(','));
  const weights = new Map(
    members.slice(0, MEMBERS_MAX).map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
      return [name, !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))] as const;
    }),
  );
  return (coding: Coding): boolean => weights.get(coding) ?? weights.get('*') ?? false;
}
