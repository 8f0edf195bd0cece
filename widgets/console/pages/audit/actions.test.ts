import { describe, expect, it } from 'vitest';
import { productRoutes } from '../../../../infra/service/gateway.ts';
import { MACHINE_READS } from '../../../../schemas/audit/documents.ts';
import { TOPICS } from '../../../../topics/catalogue.ts';
import { entryWords, KNOWN_ACTIONS } from './actions.ts';

/** Commands that no person's action is recorded as: of agents, backends and the service, and steps whose last one is recorded. */
const NOT_OF_PEOPLE: readonly string[] = [
  ...['create', 'claim-link', 'erase-rows', 'credential-used', 'send-lifecycle'].map(
    (type) => `workspaces.${type}`,
  ),
  ...[
    ...['announce-identity', 'tidy-identity', 'reserve-address', 'address-released', 'move-in'],
    ...['leave', 'erase-person', 'member-erased', 'seen', 'offer-mailed-reset'],
  ].map((type) => `people.${type}`),
  ...[
    ...['set-up', 'set-up-released', 'attach', 'attachment-confirmed', 'attachment-released'],
    ...['claim', 'claim-confirmed', 'claim-released', 'erase-workspace', 'workspace-erased'],
    ...['accept-invitation', 'invitation-released', 'offer-reset', 'offer-operator-reset', 'reset-released'],
    ...['move-member', 'billing-event'],
  ].map((type) => `organizations.${type}`),
  ...[
    ...['lifecycle', 'erase-rows', 'create-schema', 'revise-schema', 'capability-used', 'mint-session'],
    ...['import-uploaded', 'split-finished', 'split-failed', 'partition-validated'],
    ...['work-failed', 'tidy-import', 'tidy-schema', 'forget-attempt', 'acknowledge-batch'],
  ].map((type) => `imports.${type}`),
  ...[
    ...[
      'lifecycle',
      'erase-rows',
      'create-checklist',
      'revise-checklist',
      'record-event',
      'record-events',
      'issue-session',
    ],
    'tidy-sessions',
  ].map((type) => `activate.${type}`),
  ...[
    ...['lifecycle', 'erase-rows', 'create-profile'],
    ...['begin-run', 'finish-run', 'abandon-run', 'end-run'],
  ].map((type) => `checks.${type}`),
  ...[
    ...['lifecycle', 'erase-rows', 'create-widget', 'receive-submission', 'verify-submission'],
    'tidy-submission',
  ].map((type) => `feedback.${type}`),
  'organizations.tidy-invitation',
  'audit.record',
  ...['dead-letter', 'tidy-letters', 'erase-letters'].map((type) => `dead-letters.${type}`),
  ...['publish', 'add-key'].map((type) => `usage.${type}`),
  ...Object.keys(TOPICS.mail.records).map((type) => `mail.${type}`),
];

const commands = Object.entries(TOPICS).flatMap(([name, topic]) =>
  topic.kind === 'commands' ? Object.keys(topic.records).map((type) => `${name}.${type}`) : [],
);
const reads = [
  ...MACHINE_READS,
  ...productRoutes().flatMap(({ recordsRead }) => (recordsRead === undefined ? [] : [recordsRead.action])),
];

describe('entryWords', () => {
  it('names the switch that an operator has set, where the entry says which one', () => {
    const of = (detail: object) =>
      entryWords({
        action: 'organizations.set-switches',
        detail: { creation: true, runs: false, ...detail },
      });
    expect(of({ changed: 'runs' })).toBe('Switch off check runs');
    expect(of({ changed: 'creation' })).toBe('Switch on workspace creation');
    expect([of({ changed: 'creation runs' }), of({})]).toEqual(['Set switches', 'Set switches']);
  });
});

describe('entryWords of a changed key', () => {
  it.each([
    [{ mode: 'live', changed: 'name' }, 'Rename key'],
    [{ mode: 'live', changed: 'expiry' }, 'Change expiry of key'],
    [{ mode: 'live', changed: 'name expiry' }, 'Change key'],
    [{ mode: 'live' }, 'Change key'],
  ])('says of %j: %s', (detail, words) => {
    expect(entryWords({ action: 'organizations.change-key', detail })).toBe(words);
  });
});

describe('KNOWN_ACTIONS', () => {
  it('has every read that the audit log records, and every command that a person can give', () => {
    const recorded = [...reads, ...commands.filter((action) => !NOT_OF_PEOPLE.includes(action))];
    expect(recorded.filter((action) => !KNOWN_ACTIONS.includes(action))).toEqual([]);
  });

  it('has no action that the sources do not have', () => {
    const sources = [...reads, ...commands];
    expect(KNOWN_ACTIONS.filter((action) => !sources.includes(action))).toEqual([]);
    expect(NOT_OF_PEOPLE.filter((action) => KNOWN_ACTIONS.includes(action))).toEqual([]);
  });
});
