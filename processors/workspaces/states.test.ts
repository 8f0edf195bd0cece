import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../schemas/base/time.ts';
import { type Answer, STATES, type State, WorkspaceHarness } from './workspace-harness.fixture.ts';

const COMMANDS = {
  create: (harness: WorkspaceHarness) => harness.create(),
  'create with another token': (harness: WorkspaceHarness) => harness.create('another token'),
  'open a claim link': (harness: WorkspaceHarness) => harness.openLink('new code'),
  'attach with a code that was never given': (harness: WorkspaceHarness) => harness.attach('no code'),
  claim: (harness: WorkspaceHarness) => harness.claim(),
  'claim for another organization': (harness: WorkspaceHarness) => harness.claim('b'),
  pause: (harness: WorkspaceHarness) => harness.change('pause'),
  resume: (harness: WorkspaceHarness) => harness.change('resume'),
  disconnect: (harness: WorkspaceHarness) => harness.change('disconnect'),
  expire: (harness: WorkspaceHarness) => harness.change('expire'),
  erase: (harness: WorkspaceHarness) => harness.erase(),
  'erase for another organization': (harness: WorkspaceHarness) => harness.erase('b'),
  'create a credential': (harness: WorkspaceHarness) => harness.createCredential('backend'),
  'rotate a credential': (harness: WorkspaceHarness) => harness.rotate('first', 2),
  'rotate with a number that is not next': (harness: WorkspaceHarness) => harness.rotate('first', 3),
  'revoke a credential': (harness: WorkspaceHarness) => harness.revoke('first'),
  'revoke an unknown credential': (harness: WorkspaceHarness) => harness.revoke('unknown'),
} as const;

type CommandName = keyof typeof COMMANDS;

/**
 * The commands that succeed in each state (infra/docs/reference/workspaces.md#states). All others are refused, as
 * {@link refusalIn} says.
 */
const WORKS: Record<State, readonly CommandName[]> = {
  missing: ['create', 'create with another token'],
  preview: ['create', 'open a claim link', 'disconnect', 'expire'],
  attached: [
    'claim',
    'disconnect',
    'expire',
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
  expired: ['disconnect', 'expire', 'erase'],
  'disconnected preview': ['disconnect', 'erase'],
  disconnected: ['disconnect', 'erase'],
  erased: [],
};

/** Commands that succeed in a state and change nothing. */
const CHANGES_NOTHING: Partial<Record<State, readonly CommandName[]>> = {
  preview: ['create'],
  claimed: ['claim', 'resume'],
  paused: ['claim', 'pause'],
  expired: ['expire'],
  'disconnected preview': ['disconnect'],
  disconnected: ['disconnect'],
};

/** The code of every refusal in a state. */
const STATE_CODES: Partial<Record<State, Answer>> = {
  missing: 'not_found',
  expired: 'expired',
  'disconnected preview': 'workspace_disconnected',
  disconnected: 'workspace_disconnected',
  erased: 'erased',
};

/** The code of a command's refusal in the other states; `state_conflict` for a command that is not named. */
const COMMAND_CODES: Partial<Record<CommandName, Answer>> = {
  'create with another token': 'idempotency_conflict',
  'attach with a code that was never given': 'not_found',
  'erase for another organization': 'not_found',
  'revoke an unknown credential': 'not_found',
};

function refusalIn(state: State, command: CommandName): Answer {
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

describe('each command in each state', () => {
  it.each(cases)('answers by the tables: %s, %s', (state, command) => {
    const harness = new WorkspaceHarness();
    STATES[state](harness);
    const before = harness.documents();
    const answer = COMMANDS[command](harness);
    const works = WORKS[state].includes(command);
    expect(answer).toBe(works ? 'done' : refusalIn(state, command));
    const changes = works && !(CHANGES_NOTHING[state] ?? []).includes(command);
    expect(harness.documents() === before).toBe(!changes);
  });
});

describe('each command twice', () => {
  /** Commands that create something each time, or leave nothing to repeat them on. */
  const once: readonly CommandName[] = [
    'create with another token',
    'open a claim link',
    'create a credential',
    'rotate a credential',
    'erase',
  ];

  it.each(cases.filter(([state, command]) => WORKS[state].includes(command) && !once.includes(command)))(
    'changes nothing the second time: %s, %s',
    (state, command) => {
      const harness = new WorkspaceHarness();
      STATES[state](harness);
      expect(COMMANDS[command](harness)).toBe('done');
      const first = harness.documents();
      harness.now += HOUR_MS;
      expect(COMMANDS[command](harness)).toBe('done');
      expect(harness.documents()).toBe(first);
    },
  );
});

describe('each command with follow-ups that arrive three times', () => {
  it.each(cases)('gives the same documents: %s, %s', (state, command) => {
    const run = (deliveries: number) => {
      const harness = new WorkspaceHarness(undefined, deliveries);
      STATES[state](harness);
      COMMANDS[command](harness);
      // The version counts the follow-ups that arrived; nothing else may.
      return harness.documents().replaceAll(/"version":\d+/g, '"version":0');
    };
    expect(run(1)).toBe(run(1));
    expect(run(3)).toBe(run(1));
  });
});
