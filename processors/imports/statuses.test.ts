import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../schemas/base/digest.ts';
import {
  AGENT,
  configuration,
  ImportsWorld,
  OWNER,
  type ResultCode,
  schemaId,
} from './imports-world.fixture.ts';
import { importId, NAME, STATUSES, type Status } from './statuses.fixture.ts';

/** The next mapping revision, and what an approval names; of an erased import nothing is known. */
const nextRevision = (world: ImportsWorld) =>
  world.row('import', importId) === null ? 1 : world.document(NAME).mappingRevision + 1;

const COMMANDS = {
  upload: (world: ImportsWorld) => world.upload(NAME, 'source/two'),
  map: (world: ImportsWorld) => world.map(NAME, nextRevision(world), 'other columns'),
  validate: (world: ImportsWorld) => world.validate(NAME),
  approve: (world: ImportsWorld) => world.approve(NAME),
  approveStale: (world: ImportsWorld) => world.approve(NAME, sha256Hex('stale')),
  acknowledge: (world: ImportsWorld) => world.acknowledge(NAME, 0),
  cancel: (world: ImportsWorld) => world.cancel(NAME, AGENT),
  cancelAsOwner: (world: ImportsWorld) => world.cancel(NAME, OWNER),
  erase: (world: ImportsWorld) => world.erase(NAME),
  eraseAsAgent: (world: ImportsWorld) => world.send('erase-import', { importId }, AGENT),
} as const;

type CommandName = keyof typeof COMMANDS;

/** The commands that work, by status, besides erasing. Everything else conflicts, unless `ENDINGS` says how the import has ended. */
const WORKS: Record<Status, readonly CommandName[]> = {
  reserved: ['upload', 'cancel', 'cancelAsOwner'],
  unmapped: ['upload', 'map', 'cancel', 'cancelAsOwner'],
  uploaded: ['upload', 'map', 'validate', 'cancel', 'cancelAsOwner'],
  validating: ['upload', 'cancel', 'cancelAsOwner'],
  ready: ['upload', 'map', 'validate', 'approve', 'cancel', 'cancelAsOwner'],
  needs_correction: ['upload', 'map', 'validate', 'cancel', 'cancelAsOwner'],
  approved: ['upload', 'map', 'approve', 'acknowledge', 'cancelAsOwner'],
  delivered: ['upload', 'approve', 'acknowledge', 'cancelAsOwner'],
  failed: ['upload', 'cancel', 'cancelAsOwner'],
  cancelled: ['cancel', 'cancelAsOwner'],
  erased: [],
  expired: [],
  superseded: ['upload', 'acknowledge', 'cancel', 'cancelAsOwner'],
};

const ENDINGS: Partial<Record<Status, ResultCode>> = {
  cancelled: 'cancelled',
  expired: 'expired',
  superseded: 'revision_conflict',
};

function expected(status: Status, command: CommandName): ResultCode {
  if (command === 'eraseAsAgent') return 'forbidden';
  if (status === 'erased') return 'erased';
  if (command === 'erase' || WORKS[status].includes(command)) return 'done';
  if (command === 'acknowledge') return 'acknowledgment_conflict';
  const stale = command === 'approveStale' && ['ready', 'approved', 'delivered'].includes(status);
  return ENDINGS[status] ?? (stale ? 'conflict' : 'state_conflict');
}

describe('every command in every status', () => {
  const cases = Object.keys(STATUSES).flatMap((status) =>
    Object.keys(COMMANDS).map((command) => [status as Status, command as CommandName] as const),
  );

  it.each(cases)('%s: %s', (status, command) => {
    const world = new ImportsWorld();
    STATUSES[status](world);
    const before = world.documents();
    const verdict = COMMANDS[command](world);
    expect(verdict).toBe(expected(status, command));
    if (verdict !== 'done') expect(world.documents()).toBe(before);
  });

  it('knows nothing of an import that was never reserved', () => {
    const world = new ImportsWorld();
    for (const command of ['upload', 'validate', 'acknowledge', 'cancel', 'erase'] as const) {
      expect(COMMANDS[command](world)).toBe('not_found');
    }
  });

  it.each(Object.keys(STATUSES) as Status[])('ends with its workspace, but for the erasure: %s', (status) => {
    const world = new ImportsWorld();
    STATUSES[status](world);
    const before = world.row('import', importId);
    world.lifecycle({ version: 3, state: 'disconnected' });
    const commands = Object.keys(COMMANDS) as CommandName[];
    for (const command of commands.filter((name) => !name.startsWith('erase'))) {
      expect(COMMANDS[command](world)).toBe('workspace_disconnected');
    }
    expect(world.row('import', importId)).toEqual(before);
    expect(COMMANDS.erase(world)).toBe(status === 'erased' ? 'erased' : 'done');
  });
});

describe("the workspace's lifecycle", () => {
  it('is taken over only if it is newer', () => {
    const world = new ImportsWorld();
    world.lifecycle({ version: 5, state: 'disconnected' });
    world.lifecycle({ version: 4, state: 'preview' });
    expect(world.reserve(NAME)).toBe('workspace_disconnected');
  });

  it('stops an agent while it is paused, and not the owner', () => {
    const world = new ImportsWorld();
    STATUSES.uploaded(world);
    world.lifecycle({ plan: 'free', state: 'paused', expiresAt: null });
    expect(world.reserve('another')).toBe('workspace_paused');
    expect(world.validate(NAME)).toBe('workspace_paused');
    expect(world.send('validate-import', { importId }, OWNER)).toBe('done');
    expect(world.split(NAME, 1, 1)).toBe('done');
    expect(world.document(NAME).validation?.split).not.toBeNull();
  });

  it('is not the same as never having heard of the workspace', () => {
    const world = new ImportsWorld();
    const aggregate = `ins_${'b'.repeat(24)}`;
    const outcome = world.folds.send({
      topic: 'imports',
      aggregate,
      type: 'create-schema',
      input: { schemaId, configuration: configuration(1) },
    });
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'unavailable' } });
  });
});
