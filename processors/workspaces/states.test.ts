import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { STATES, type State, type Verdict, WorkspaceWorld } from './workspace-world.fixture.ts';

const COMMANDS = {
  create: (world: WorkspaceWorld) => world.create(),
  'create with another token': (world: WorkspaceWorld) => world.create('another token'),
  'open a claim link': (world: WorkspaceWorld) => world.openLink('new code'),
  'attach with a code that was never given': (world: WorkspaceWorld) => world.attach('no code'),
  claim: (world: WorkspaceWorld) => world.claim(),
  'claim for another organization': (world: WorkspaceWorld) => world.claim('b'),
  pause: (world: WorkspaceWorld) => world.change('pause'),
  resume: (world: WorkspaceWorld) => world.change('resume'),
  disconnect: (world: WorkspaceWorld) => world.change('disconnect'),
  erase: (world: WorkspaceWorld) => world.erase(),
  'erase for another organization': (world: WorkspaceWorld) => world.erase('b'),
  'create a credential': (world: WorkspaceWorld) => world.createCredential('backend'),
  'rotate a credential': (world: WorkspaceWorld) => world.rotate('first', 2),
  'rotate with a number that is not next': (world: WorkspaceWorld) => world.rotate('first', 3),
  'revoke a credential': (world: WorkspaceWorld) => world.revoke('first'),
  'revoke an unknown credential': (world: WorkspaceWorld) => world.revoke('unknown'),
} as const;

type CommandName = keyof typeof COMMANDS;

/** What works, by state (specification 3, contract B). Everything else is refused, by {@link refusalIn}. */
const WORKS: Record<State, readonly CommandName[]> = {
  missing: ['create', 'create with another token'],
  preview: ['create', 'open a claim link', 'disconnect'],
  attached: [
    'claim',
    'disconnect',
    'erase',
    'create a credential',
    'rotate a credential',
    'revoke a credential',
  ],
  claimed: [
    'claim',
    'pause',
    'resume',
    'disconnect',
    'erase',
    'create a credential',
    'rotate a credential',
    'revoke a credential',
  ],
  paused: [
    'claim',
    'pause',
    'resume',
    'disconnect',
    'erase',
    'create a credential',
    'rotate a credential',
    'revoke a credential',
  ],
  expired: ['disconnect', 'erase'],
  'disconnected preview': ['disconnect', 'erase'],
  disconnected: ['disconnect', 'erase'],
  erased: [],
};

/** The same command in the same state again: answered as done, and nothing changes. */
const CHANGES_NOTHING: Partial<Record<State, readonly CommandName[]>> = {
  preview: ['create'],
  claimed: ['claim', 'resume'],
  paused: ['claim', 'pause'],
  'disconnected preview': ['disconnect'],
  disconnected: ['disconnect'],
};

/** The code with which a whole state refuses. */
const STATE_CODES: Partial<Record<State, Verdict>> = {
  missing: 'not_found',
  expired: 'expired',
  'disconnected preview': 'workspace_disconnected',
  disconnected: 'workspace_disconnected',
  erased: 'erased',
};

/** The code of a command in states that do not refuse as a whole; `state_conflict` where none is named. */
const COMMAND_CODES: Partial<Record<CommandName, Verdict>> = {
  'create with another token': 'idempotency_conflict',
  'attach with a code that was never given': 'not_found',
  'erase for another organization': 'not_found',
  'revoke an unknown credential': 'not_found',
};

function refusalIn(state: State, command: CommandName): Verdict {
  switch (command) {
    case 'create':
      return 'state_conflict';
    case 'create with another token':
      return 'idempotency_conflict';
    case 'open a claim link':
      // The provision token ended with the claim.
      if (state === 'claimed' || state === 'paused') return 'forbidden';
      break;
    case 'attach with a code that was never given':
      if (state === 'erased') return 'not_found';
      break;
    case 'erase for another organization':
      if (state !== 'missing' && state !== 'erased') return 'not_found';
      break;
    case 'erase':
      if (state === 'preview') return 'not_found';
      break;
    case 'revoke an unknown credential':
      if (state === 'preview') return 'state_conflict';
      break;
  }
  return STATE_CODES[state] ?? COMMAND_CODES[command] ?? 'state_conflict';
}

const cases = Object.keys(STATES).flatMap((state) =>
  Object.keys(COMMANDS).map((command) => [state as State, command as CommandName] as const),
);

describe('every command in every state', () => {
  it.each(cases)('%s: %s', (state, command) => {
    const world = new WorkspaceWorld();
    STATES[state](world);
    const before = world.documents();
    const verdict = COMMANDS[command](world);
    const works = WORKS[state].includes(command);
    expect(verdict).toBe(works ? 'done' : refusalIn(state, command));
    const changes = works && !(CHANGES_NOTHING[state] ?? []).includes(command);
    expect(world.documents() === before).toBe(!changes);
  });
});

describe('every command twice', () => {
  /** What makes something new each time, or leaves nothing to do it to. */
  const once: readonly CommandName[] = [
    'create with another token',
    'open a claim link',
    'create a credential',
    'rotate a credential',
    'erase',
  ];

  it.each(cases.filter(([state, command]) => WORKS[state].includes(command) && !once.includes(command)))(
    '%s: %s',
    (state, command) => {
      const world = new WorkspaceWorld();
      STATES[state](world);
      expect(COMMANDS[command](world)).toBe('done');
      const first = world.documents();
      world.now += HOUR_MS;
      expect(COMMANDS[command](world)).toBe('done');
      expect(world.documents()).toBe(first);
    },
  );
});

describe('folded again, with every follow-up arriving three times', () => {
  it.each(cases)('%s: %s', (state, command) => {
    const run = (deliveries: number) => {
      const world = new WorkspaceWorld(undefined, deliveries);
      STATES[state](world);
      COMMANDS[command](world);
      // How often a notice has come is all that a version may tell.
      return world.documents().replaceAll(/"version":\d+/g, '"version":0');
    };
    expect(run(1)).toBe(run(1));
    expect(run(3)).toBe(run(1));
  });
});
