import { beforeEach, describe, expect, it } from 'vitest';
import { parseCommand } from '../../schemas/base/command.ts';
import { digestOf } from '../../schemas/base/digest.ts';
import { erasureItems } from '../../schemas/base/erasure.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { Outcome } from '../../schemas/base/outcome.ts';
import { readStored } from '../../schemas/base/stored.ts';
import { DAY_MS } from '../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../schemas/limits.ts';
import {
  ALIKE_LETTERS_KEPT,
  DEAD_LETTERS,
  deadLetterCommands,
  EMPTY_LETTERS,
  LETTER_KEPT_MS,
  type LettersRoot,
  lettersRootSchema,
  OPEN_LETTERS_KEPT,
} from '../../schemas/operations/dead-letters.ts';
import type { LogRecord } from '../../topics/ports/log.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { CONFIRMED } from '../runtime/effects/delivery.ts';
import { deadLetterRecord } from '../runtime/effects/follow-up.ts';
import { erasedLetterSweep } from '../runtime/sweeps/erased-letter-sweep.ts';
import { createLettersFold } from './fold.ts';
import { letterSweep } from './letter-sweep.ts';
import { withOpen } from './open-letters.ts';

const START = Date.UTC(2026, 10, 21, 12);
const REQUEST_ID = `req_${'a'.repeat(24)}`;
const HANDLING = 'fold-activate';

let world: FoldWorld;

beforeEach(() => {
  world = new FoldWorld([createLettersFold(DEFAULT_LIMITS)], START);
});

function recordOf(type: string, input: JsonObject, over: JsonObject = {}): LogRecord {
  const envelope = {
    ...{ envelope: 1, type, operation: type, key: 'k', keyFrom: 'request', inputDigest: digestOf(input) },
    ...{ requestId: REQUEST_ID, replyTo: 'gone', notAfter: START, issuedAt: START },
    actor: { kind: 'system', id: 'test' },
    ...{ input, ...over },
  };
  const place = { topic: 'activate', generation: 1, partition: 0, offset: 4, appendedAt: START } as const;
  return { ...place, key: 'an installation', value: JSON.stringify(envelope) };
}

const CONFIRMATION = { operation: 'lifecycle', key: 'k', at: START };
const confirmed = recordOf(CONFIRMED, CONFIRMATION);

/** Sends the letter of a record, as a group does that could not handle it. Returns the id of the newest. */
function arrives(record: LogRecord, group = HANDLING, aggregate = DEAD_LETTERS, reason = 'r'): string {
  const letter = JSON.parse(deadLetterRecord(record, { group, reason }, REQUEST_ID, world.now).value);
  world.send({ topic: 'dead-letters', aggregate, type: 'dead-letter', input: letter.input });
  return root().open.at(-1) ?? '';
}

const root = () => world.root('operations', DEAD_LETTERS) as LettersRoot;
const letterOf = (id: string) => world.row('operations', DEAD_LETTERS, 'letter', id);
const close = (type: 'replay' | 'discard', deadLetterId: string): Outcome =>
  world.send({ topic: 'dead-letters', aggregate: DEAD_LETTERS, type, input: { deadLetterId } });
const sent = () => world.elsewhere.map(({ topic, key, envelope }) => [topic, key, envelope.type]);

describe('replay', () => {
  it('sends a command of the runtime again', () => {
    expect(close('replay', arrives(confirmed)).kind).toBe('done');
    expect(sent()).toEqual([['activate', 'an installation', CONFIRMED]]);
  });

  it.each(['client', 'request'])(
    'keeps every member of the record, except the client that waits and its deadline: a key of the %s',
    (keyFrom) => {
      const envelope = {
        ...{ operation: 'another', key: 'its key', keyFrom, inputDigest: digestOf(['input']) },
        ...{ requestId: `req_${'b'.repeat(24)}`, replyTo: 'gone', notAfter: START + 1, issuedAt: START - 7 },
        ...{
          actor: { kind: 'user', id: 'a person' },
          traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
        },
        replyAs: { operation: 'first', key: 'first key' },
      };
      const record = recordOf(CONFIRMED, CONFIRMATION, envelope);
      expect(close('replay', arrives(record)).kind).toBe('done');
      expect(world.elsewhere.map(({ envelope: sentAgain }) => sentAgain)).toEqual([
        { ...JSON.parse(record.value ?? ''), replyTo: null, notAfter: null },
      ]);
    },
  );

  it('keeps the members of a record that only a newer release knows', () => {
    const newer = recordOf(CONFIRMED, { ...CONFIRMATION, later: 1 }, { later: 2 });
    expect(close('replay', arrives(newer)).kind).toBe('done');
    expect(world.elsewhere[0]?.envelope).toMatchObject({ later: 2, input: { later: 1 }, replyTo: null });
  });

  it('sends the record of a processor that another release has under another name', () => {
    expect(close('replay', arrives(confirmed, 'fold-activation')).kind).toBe('done');
    expect(sent()).toEqual([['activate', 'an installation', CONFIRMED]]);
  });

  it('is refused for a record that a sweep has passed over, whatever release has that sweep', () => {
    const id = arrives(confirmed, 'sweep-activate-former');
    expect(close('replay', id)).toMatchObject({ kind: 'refused', refusal: { code: 'state_conflict' } });
    expect(sent()).toEqual([]);
    expect(close('discard', id).kind).toBe('done');
  });

  it('sends the record if its processor could not handle it either', () => {
    arrives(confirmed, 'sweep-activate-outcomes');
    const id = arrives(confirmed);
    expect(root().open).toEqual([id]);
    arrives(confirmed, 'sweep-activate-outcomes');
    expect(close('replay', id).kind).toBe('done');
  });

  it('finds no letter that has ended', () => {
    const id = arrives(confirmed);
    world.now = START + LETTER_KEPT_MS;
    expect(close('replay', id)).toMatchObject({ kind: 'refused', refusal: { code: 'not_found' } });
  });
});

describe('a dead letter', () => {
  it('of an early release, which has the key of its record, is in the list', () => {
    const id = arrives(confirmed, HANDLING, 'an installation');
    expect(letterOf(id)).toMatchObject({ key: 'an installation', state: 'open' });
    expect(world.root('operations', 'an installation')).toBeNull();
    expect(world.rows('operations', 'an installation').filter(({ kind }) => kind === 'letter')).toEqual([]);
  });

  it('is removed fourteen days after the append of its record, open or closed', () => {
    const closed = arrives(confirmed);
    close('discard', closed);
    const open = arrives({ ...confirmed, offset: 5, appendedAt: START + 1 });
    world.now = START + 1 + DAY_MS;
    const young = arrives({ ...confirmed, offset: 6, appendedAt: world.now });
    const tidy = () =>
      world.send({
        topic: 'dead-letters',
        aggregate: DEAD_LETTERS,
        type: 'tidy-letters',
        input: { again: false },
      });
    world.now = START + LETTER_KEPT_MS;
    tidy();
    expect(root()).toMatchObject({ open: [open, young], closed: [] });
    world.now += 1;
    tidy();
    expect(root()).toMatchObject({ open: [young], closed: [] });
    expect([letterOf(closed), letterOf(open)]).toEqual([null, null]);
  });
});

describe('letters of an aggregate that fails again and again', () => {
  const DAMAGED = { ...confirmed, key: 'a damaged installation' };

  /** Sends letters with growing offsets, and returns their ids. */
  function arriving(count: number, record: LogRecord, reason = 'r'): string[] {
    return Array.from({ length: count }, () => {
      offset += 1;
      return arrives({ ...record, offset }, HANDLING, DEAD_LETTERS, reason);
    });
  }
  /** Ids compare as their text, so all have the same number of digits. */
  let offset = 100_000;

  it('leave the list beyond twenty with one reason, and are counted', () => {
    const [neighbour = ''] = arriving(1, confirmed);
    const ids = arriving(ALIKE_LETTERS_KEPT + 500, DAMAGED);
    const others = arriving(2, DAMAGED, 'another reason');
    expect(root().open).toEqual([neighbour, ...ids.slice(-ALIKE_LETTERS_KEPT), ...others]);
    expect(Object.values(root().left)).toEqual([500]);
    expect([letterOf(ids[0] ?? ''), letterOf(neighbour)]).toMatchObject([null, { state: 'open' }]);
  });

  it('are forgotten with the last one that is closed', () => {
    const ids = arriving(ALIKE_LETTERS_KEPT + 1, DAMAGED).slice(1);
    for (const id of ids) close('discard', id);
    expect(root()).toMatchObject({ open: [], causes: {}, left: {} });
  });

  it('give way to others once the list is full, the oldest first', () => {
    const many = OPEN_LETTERS_KEPT / ALIKE_LETTERS_KEPT;
    const crowd = Array.from({ length: many }, (_, nth) =>
      arriving(ALIKE_LETTERS_KEPT, { ...DAMAGED, key: `damaged ${nth}` }),
    );
    const [neighbour = ''] = arriving(1, confirmed);
    const [second = ''] = arriving(1, { ...confirmed, key: 'another neighbour' });
    expect(root().open).toHaveLength(OPEN_LETTERS_KEPT);
    expect(root().open).toEqual(expect.arrayContaining([neighbour, second]));
    const [first = [], another = []] = crowd;
    expect([first[0], another[0]].map((id) => root().open.includes(id ?? ''))).toEqual([false, false]);
  });

  it('are listed beside letters of early releases, which have no cause', () => {
    const { causes: _causes, left: _left, ...early } = EMPTY_LETTERS;
    const id = `${String(START).padStart(15, '0')}-usage-1-0-1`;
    const state = readStored(lettersRootSchema, { ...early, open: [id] });
    expect(withOpen(state, 'another', 'cause')).toMatchObject({
      root: { open: [id, 'another'], causes: { another: 'cause' } },
      leaving: null,
    });
  });
});

describe('erase-letters', () => {
  it('removes the letters that it names, open or closed, and no other', () => {
    const closed = arrives(confirmed);
    close('discard', closed);
    const ids = [5, 6].map((offset) => arrives({ ...confirmed, offset }));
    const [open = '', kept = ''] = ids;
    const erase = () =>
      world.send({
        topic: 'dead-letters',
        aggregate: DEAD_LETTERS,
        type: 'erase-letters',
        input: { deadLetterIds: [closed, open] },
      });
    erase();
    erase();
    expect(root()).toMatchObject({ open: [kept], closed: [] });
    expect([closed, open].map(letterOf)).toEqual([null, null]);
  });
});

describe('letterSweep', () => {
  it('removes a letter after two rounds, each half of its life later', async () => {
    const due = async (value: string) =>
      await letterSweep.due(parseCommand(deadLetterCommands, value), DEAD_LETTERS);
    const first = await due(
      deadLetterRecord(confirmed, { group: HANDLING, reason: 'r' }, REQUEST_ID, START).value,
    );
    expect(first).toMatchObject([{ key: DEAD_LETTERS, type: 'tidy-letters', input: { again: true } }]);
    const round = (again: boolean) => due(recordOf('tidy-letters', { again }).value);
    expect(await round(true)).toMatchObject([{ type: 'tidy-letters', input: { again: false } }]);
    expect(await round(false)).toEqual([]);
    expect(2 * letterSweep.delayMs).toBe(LETTER_KEPT_MS);
  });
});

describe('erasedLetterSweep', () => {
  it('searches once more for letters about what was erased', async () => {
    const due = async (input: JsonObject, type = 'erase-letters') =>
      await erasedLetterSweep.due(parseCommand(erasureItems, recordOf(type, input).value), 'k');
    const erased = { about: 'subject-a', before: START };
    const again = { ...erased, again: true };
    expect(await due(erased)).toMatchObject([
      { topic: 'erasures', key: 'k', type: 'erase-letters', input: again },
    ]);
    expect(await due(again)).toEqual([]);
    expect(await due({ topic: 'people', aggregate: 'k' }, 'erase')).toEqual([]);
  });
});
