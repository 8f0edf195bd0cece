// The entry of the client library: everything that is public, and nothing else.

// biome-ignore-start lint/performance/noBarrelFile: Users import the library from this one file.
export { addressKey } from './address-key.ts';
export {
  type Backfilled,
  type BackfillOptions,
  type BackfillProgress,
  type PastMilestone,
  recordAll,
} from './backfill.ts';
export type { CallOptions } from './caller.ts';
export type { Check, Decision, LimiterOptions } from './check.ts';
export { type Batch, type BatchRow, type Delivery, type DeliveryOptions, delivery } from './delivery.ts';
export type { Acknowledged, AcknowledgedBatch } from './delivery-calls.ts';
export { SvcError, type SvcErrorCode } from './error.ts';
export {
  type Accepted,
  type Events,
  type EventsOptions,
  events,
  type Milestone,
  type NotYet,
  type RecordOutcome,
  type Refused,
} from './events.ts';
export { type Decisions, type Limiter, limiter, type WindowName } from './limiter.ts';
export {
  expressLimit,
  type FastifyReply,
  type FastifyRequest,
  fastifyLimit,
  fetchLimit,
  type HonoContext,
  honoLimit,
  type NodeResponse,
  type RequestLimit,
  type RequestLimits,
  type WrapHandler,
} from './middleware.ts';
export type { OnNoAnswer } from './no-answer.ts';
export type { CellValue, RowField, RowOf } from './row-types.ts';
export {
  createProgressSession,
  createSession,
  type ImportSession,
  type ProgressSession,
  type ProgressSessionOptions,
  type SessionOptions,
} from './sessions.ts';
export { subjectDigest } from './subject-digest.ts';
export type { Fetch } from './transport.ts';
// biome-ignore-end lint/performance/noBarrelFile: Users import the library from this one file.
