import { describe, expect, it } from 'vitest';
import { idFrom, installationOf } from '../../schemas/base/ids.ts';
import { HOUR_MS, isoTime } from '../../schemas/base/time.ts';
import {
  activitySchema,
  HOURS_KEPT,
  type HourTally,
  keptTalliesSchema,
  NO_COUNTS,
  NO_WORKSPACES,
  type QuotaTally,
} from '../../schemas/operations/tallies.ts';
import { ActivityLog } from './activity-log.ts';

const HOUR = Date.UTC(2026, 8, 18, 14);
const PREVIEW_MS = 72 * HOUR_MS;
const workspaceId = idFrom('workspace', new Uint8Array(32));
const NONE = { quotas: [], erased: [] };

function hour(
  at: number,
  counts: Partial<HourTally['counts']>,
  origins: HourTally['origins'] = {},
  workspaces: Partial<HourTally['workspaces']> = {},
): HourTally {
  const named = { ...NO_WORKSPACES, ...workspaces };
  return { at, counts: { ...NO_COUNTS, ...counts }, workspaces: named, origins };
}

function quota(used: number, differing: Partial<QuotaTally> = {}): QuotaTally {
  const names = { installationId: installationOf(workspaceId), product: 'svcfeedback', quota: 'submissions' };
  return { ...names, used, limit: 50, resetsAt: null, endsAt: null, at: HOUR, ...differing };
}

function read(log: ActivityLog, now = HOUR) {
  return activitySchema.parse({ ...log.read(now, PREVIEW_MS), isCurrent: true });
}

describe('the activity of all workspaces', () => {
  it('adds up what processes have told last of each hour', () => {
    const log = new ActivityLog();
    const at = 'https://one.example';
    log.note('a', {
      hours: [hour(HOUR, { created: 1 }, { [at]: { accepted: 1, held: 0, workspaces: ['one'] } })],
      ...NONE,
    });
    log.note('a', {
      hours: [hour(HOUR, { created: 2 }, { [at]: { accepted: 2, held: 0, workspaces: ['one', 'two'] } })],
      ...NONE,
    });
    log.note('b', {
      hours: [hour(HOUR, { created: 1 }, { [at]: { accepted: 0, held: 3, workspaces: ['two'] } })],
      ...NONE,
    });
    const { hours, origins, since } = read(log);
    expect(hours).toMatchObject([{ created: 3, feedbackAccepted: 2, feedbackHeld: 3 }]);
    expect(origins).toEqual([{ origin: at, accepted: 2, held: 3, workspaces: ['one', 'two'] }]);
    expect(since).toBe(isoTime(HOUR));
  });

  it('knows how many previews ended without a claim once it knows the hour of their creation', () => {
    const log = new ActivityLog();
    const workspaces = { created: ['one', 'two'], claimedLater: ['one'] };
    const created = hour(HOUR - PREVIEW_MS, { created: 9, claimedLater: 4 }, {}, workspaces);
    log.note('a', { hours: [created, hour(HOUR, { created: 1 })], ...NONE });
    const [now, before] = read(log).hours;
    expect([now?.expired, before?.expired]).toEqual([5, null]);
    expect([now?.workspaces.expired, before?.workspaces.expired]).toEqual([['two'], []]);
  });

  it('lists quotas that are nearly used up, with the latest numbers, until they begin again', () => {
    const log = new ActivityLog();
    log.note('a', {
      hours: [],
      erased: [],
      quotas: [quota(45), quota(40, { quota: 'widgets', resetsAt: HOUR + 1 })],
    });
    log.note('b', { hours: [], erased: [], quotas: [quota(44, { at: HOUR - 1 })] });
    expect(read(log).quotas).toMatchObject([
      { workspaceId, quota: 'submissions', used: 45, remaining: 5 },
      { quota: 'widgets' },
    ]);
    expect(read(log, HOUR + 1).quotas).toHaveLength(1);
    log.note('c', { hours: [], erased: [], quotas: [quota(45, { limit: 1_000, at: HOUR + 1 })] });
    expect(read(log, HOUR + 1).quotas).toEqual([]);
  });

  it('drops the quotas of a workspace that has ended, and those without a use for days', () => {
    const log = new ActivityLog();
    log.note('a', { hours: [], erased: [], quotas: [quota(45, { endsAt: HOUR + 2 })] });
    expect([read(log, HOUR + 1).quotas.length, read(log, HOUR + 2).quotas.length]).toEqual([1, 0]);
    log.note('a', { hours: [], erased: [], quotas: [quota(45, { at: HOUR + 1 })] });
    const end = HOUR + 1 + HOURS_KEPT * HOUR_MS;
    expect([read(log, end - 1).quotas.length, read(log, end).quotas.length]).toEqual([1, 0]);
  });

  it('forgets the names of an erased workspace, whichever process reports them, and keeps the counts', () => {
    const [alone, shared] = ['https://private.example', 'https://shared.example'];
    const named = { created: [workspaceId, 'two'], claimed: [workspaceId] };
    const origins = {
      [alone]: { accepted: 3, held: 1, workspaces: [workspaceId] },
      [shared]: { accepted: 2, held: 0, workspaces: [workspaceId, 'two'] },
    };
    const report = { hours: [hour(HOUR, { created: 2 }, origins, named)], erased: [], quotas: [quota(45)] };
    const erased = [{ workspaceId, at: HOUR }];
    const log = new ActivityLog();
    expect(log.note('a', report)).toBe(false);
    const before = keptTalliesSchema.parse(log.kept(HOUR));
    expect(log.note('b', { hours: [], quotas: [], erased })).toBe(true);
    expect(log.note('b', { hours: [], quotas: [], erased })).toBe(false);
    const later = new ActivityLog();
    later.adopt(keptTalliesSchema.parse(log.kept(HOUR)));
    for (const each of [log, later]) {
      each.note('c', report);
      each.adopt(before);
      const { hours, quotas, origins: shown } = read(each);
      expect(JSON.stringify([each.kept(HOUR).hours, quotas, shown])).not.toMatch(
        new RegExp(`${workspaceId}|private`),
      );
      expect(hours).toMatchObject([{ created: 4, feedbackAccepted: 10, feedbackHeld: 2 }]);
      expect(hours[0]?.workspaces.created).toEqual(['two']);
      expect(shown).toContainEqual({ origin: shared, accepted: 4, held: 0, workspaces: ['two'] });
      expect(shown).toContainEqual({ origin: 'others', accepted: 6, held: 2, workspaces: [] });
    }
  });

  it('stays bounded, and a later process continues with it', () => {
    const log = new ActivityLog();
    for (let index = 0; index <= HOURS_KEPT; index += 1) {
      log.note('a', { hours: [hour(HOUR + index * HOUR_MS, { created: 1 })], ...NONE });
    }
    const kept = keptTalliesSchema.parse(log.kept(HOUR));
    expect(kept.hours).toHaveLength(HOURS_KEPT);
    const later = new ActivityLog();
    const end = HOUR + HOURS_KEPT * HOUR_MS;
    later.note('b', { hours: [hour(end, { created: 1 })], ...NONE });
    later.adopt(kept);
    expect(read(later, end).hours.slice(0, 2)).toMatchObject([{ created: 2 }, { created: 1 }]);
  });
});
