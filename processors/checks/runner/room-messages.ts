import { z } from 'zod';
import { type Failure, runFindingsSchema } from '../../../schemas/checks/results.ts';
import type { RefusedConnection } from '../egress/guard.ts';
import type { ProxyAccess } from '../egress/proxy.ts';
import { type RunPlan, SCREENSHOT_BYTES_MAX } from './drive.ts';
import type { BrowserProgram } from './program.ts';

/** The sentences of a launch that failed, for operators. */
const REASON_CHARACTERS_MAX = 1_000;
/** A page can have hundreds of frames, each in a process. */
const PROCESSES_MAX = 4_096;
/** A host that has an address takes 253 characters. */
export const ORIGIN_CHARACTERS_MAX = 512;

/** The descriptor of a room's channel. */
export const CHANNEL_FD = 3;

/** A message from the runner to a room. A room trusts its runner. */
export type ToRoom =
  /** Starts the browser, with its profile in `folder`. */
  | { readonly type: 'launch'; readonly program: BrowserProgram; readonly folder: string }
  /** Asks the browser for its processes, before a run. */
  | { readonly type: 'look' }
  | { readonly type: 'drive'; readonly plan: RunPlan; readonly access: ProxyAccess }
  /** The answer to `asks`. */
  | { readonly type: 'refused'; readonly id: number; readonly refused: RefusedConnection | null }
  /** Ends the run under way. */
  | { readonly type: 'end'; readonly failure: Failure };

/** Base64 takes four characters for three bytes. */
const SCREENSHOT_CHARACTERS_MAX = Math.ceil(SCREENSHOT_BYTES_MAX / 3) * 4;

/** Bytes of one message, in either direction. The sentences of all steps take less than the picture. */
export const MESSAGE_BYTES_MAX = 2 * SCREENSHOT_CHARACTERS_MAX;

/** A message from a room to its runner, which trusts no room: a page may have broken into it. */
export const fromRoomSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('launched'), pid: z.int().min(2) }),
  /** The processes of the browser just now. */
  z.strictObject({ type: z.literal('processes'), ids: z.array(z.int().min(2)).max(PROCESSES_MAX) }),
  z.strictObject({ type: z.literal('failed'), reason: z.string().transform(cut) }),
  /** Asks why the proxy refused the last request to a server. An address may be of any length, and so its origin stands for it. */
  z.strictObject({
    type: z.literal('asks'),
    id: z.int(),
    origin: z.url().max(ORIGIN_CHARACTERS_MAX),
  }),
  z.strictObject({
    type: z.literal('driven'),
    findings: runFindingsSchema,
    screenshot: z.base64().max(SCREENSHOT_CHARACTERS_MAX).nullable(),
    isClean: z.boolean(),
  }),
]);

export type FromRoom = z.infer<typeof fromRoomSchema>;

function cut(text: string): string {
  return text.slice(0, REASON_CHARACTERS_MAX);
}
