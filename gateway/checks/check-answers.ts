import type { z } from 'zod';
import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import { challengeContent, challengeUrl, originState } from '../../schemas/checks/derived-states.ts';
import type {
  OriginDocument,
  ProfileDocument,
  RunDocument,
  SuiteDocument,
} from '../../schemas/checks/documents.ts';
import {
  CHECK_SCHEMA_VERSION,
  type originAnswerSchema,
  type profileAnswerSchema,
  type runAnswerSchema,
  type suiteAnswerSchema,
} from '../../schemas/checks/http.ts';

const schemaVersion = CHECK_SCHEMA_VERSION;

/** An origin as answers show it. */
export function originAnswer(
  originId: string,
  document: OriginDocument,
  now: number,
): z.infer<typeof originAnswerSchema> {
  const { origin, createdAt, verifiedAt, endsAt } = document;
  return {
    schemaVersion,
    originId,
    origin,
    verificationMethod: 'well_known_file',
    state: originState(document, now),
    challenge: {
      url: challengeUrl(originId, document),
      content: challengeContent(originId, document),
      expiresAt: isoTime(endsAt),
    },
    createdAt: isoTime(createdAt),
    verifiedAt: isoTimeOrNull(verifiedAt),
    renewBy: verifiedAt === null ? null : isoTime(endsAt),
  };
}

/** A suite as answers show it. */
export function suiteAnswer(
  suiteId: string,
  { originId, accessProfileId, configuration, createdAt }: SuiteDocument,
): z.infer<typeof suiteAnswerSchema> {
  return {
    schemaVersion,
    suiteId,
    originId,
    accessProfileId,
    ...configuration,
    createdAt: isoTime(createdAt),
  };
}

/** An access profile as answers show it. */
export function profileAnswer(
  accessProfileId: string,
  { originId, configuration, createdAt }: ProfileDocument,
): z.infer<typeof profileAnswerSchema> {
  return { schemaVersion, accessProfileId, originId, ...configuration, createdAt: isoTime(createdAt) };
}

/** A run as answers show it. */
export function runAnswer(runId: string, run: RunDocument, now: number): z.infer<typeof runAnswerSchema> {
  const { suiteId, originId, status, verified, findings, screenshot } = run;
  const isKept = screenshot !== null && now < screenshot.expiresAt;
  return {
    schemaVersion,
    runId,
    suiteId,
    originId,
    status,
    verified,
    flows: findings?.flows ?? [],
    failure: findings?.failure ?? null,
    consoleErrors: findings?.consoleErrors ?? 0,
    networkErrors: findings?.networkErrors ?? 0,
    blockedRequests: findings?.blockedRequests ?? 0,
    finalUrl: findings?.finalUrl ?? null,
    requestedAt: isoTime(run.requestedAt),
    startedAt: isoTimeOrNull(run.startedAt),
    endedAt: isoTimeOrNull(run.endedAt),
    screenshotExpiresAt: isKept ? isoTime(screenshot.expiresAt) : null,
  };
}
