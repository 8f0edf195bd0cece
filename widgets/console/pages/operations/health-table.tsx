import { missedProcesses } from '../../../../schemas/operations/missed-processes.ts';
import { counted } from '../../parts/table/numbers.ts';
import { State, type Tone } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { clockTime, megabytes } from './ages.ts';
import type { Summary } from './queries.ts';
import { Section } from './section.tsx';

type Process = Summary['processes'][number];
type Engine = Summary['engines'][number];

interface Part {
  readonly name: string;
  readonly tone: Tone;
  readonly word: string;
  readonly up: string;
  readonly now: string;
  /** The list that the row is about. */
  readonly list: string;
}

/** Each role and each engine in one row. */
export function HealthTable({ summary }: { readonly summary: Summary }) {
  const parts = partsOf(summary);
  return (
    <section aria-labelledby="health">
      <div class="section-head">
        <h2 id="health">Health</h2>
      </div>
      <Table label="Health table" class="blocks dense" columns={['Part', 'State', ['Up', 'n'], 'Now']}>
        <tbody>
          {parts.map(({ name, tone, word, up, now, list }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="beside">
                <State tone={tone}>{word}</State>
              </td>
              <td class="below n">
                <a href={list}>{up}</a>
              </td>
              <td class="then muted wrap">{now}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

const ROLES = [
  ['gateway', 'Gateways'],
  ['processors', 'Processors'],
  ['workers', 'Workers'],
  ['runner', 'Runners'],
] as const;

const ENGINES: Readonly<Record<Engine['name'], string>> = {
  embedded: 'Embedded engine',
  kafka: 'Log, Kafka',
  cassandra: 'Store, Cassandra',
  redis: 'Counters, Redis',
};

function partsOf({ processes, engines, requests, topics, isCurrent }: Summary): Part[] {
  const halted = topics.reduce((sum, topic) => sum + topic.halted, 0);
  const now: Readonly<Record<string, string>> = {
    gateway: `${counted(Math.round(requests.checks.perSecond + requests.others.perSecond), 'request')} per second`,
    processors: halted > 0 ? `${counted(halted, 'partition')} halted` : 'no partition halted',
  };
  const missed = missedProcesses(processes);
  const isFull = processes.some(({ state, isShortOfRoom }) => state === 'troubled' && isShortOfRoom);
  return [
    ...ROLES.flatMap(([role, name]) => {
      const all = processes.filter(
        (process) =>
          process.roles.includes(role) &&
          (['up', 'troubled'].includes(process.state) || missed.includes(process)),
      );
      if (all.length === 0) return isCurrent ? [unfilled(name, role)] : [];
      const part = roleOf(name, all, now[role] ?? loadOf(all));
      return [
        role === 'processors' && halted > 0 && part.tone !== 'bad'
          ? { ...part, ...HALTED, now: now[role] ?? '' }
          : part,
      ];
    }),
    ...engines.map((engine) => {
      const part = engineOf(engine);
      return engine.name === 'embedded' && isFull && part.tone === 'ok' ? { ...part, ...FULL } : part;
    }),
  ];
}

const HALTED = { tone: 'bad', word: 'Partly halted', list: '#topics' } as const;
const FULL = { tone: 'bad', word: 'Full', now: 'accepts no new data' } as const;

/** A role that no process has. A service may do without runners. */
function unfilled(name: string, role: string): Part {
  const tone = role === 'runner' ? 'warn' : 'bad';
  return { name, tone, word: 'None', up: '0 of 0', now: 'no process', list: '#processes' };
}

function roleOf(name: string, all: readonly Process[], now: string): Part {
  const gone = all.filter(({ state }) => state === 'gone');
  const troubled = all.filter(({ state, trouble }) => state === 'troubled' && trouble !== null);
  const [first, left] = [gone[0], all.length - gone.length];
  const part = { name, up: `${left} of ${all.length}`, list: '#processes' };
  if (first !== undefined) {
    const since = `${first.processId} gone since ${clockTime(first.at)}`;
    return {
      ...part,
      tone: left === 0 ? 'bad' : 'warn',
      word: left === 0 ? 'Down' : 'Partly down',
      now: since,
    };
  }
  if (troubled.length > 0)
    return { ...part, tone: 'warn', word: 'Troubled', now: troubled[0]?.trouble ?? '' };
  return { ...part, tone: 'ok', word: 'Healthy', now };
}

function loadOf(all: readonly Process[]): string {
  const most = Math.max(...all.map(({ busyPercent }) => busyPercent));
  return `busy at most ${Math.round(most)} %`;
}

function engineOf({ name, state, since, up, processes }: Engine): Part {
  const part = { name: ENGINES[name], up: `${up} of ${processes}`, list: '#processes' };
  if (state === 'up')
    return { ...part, tone: 'ok', word: 'Healthy', now: `answers since ${clockTime(since)}` };
  const word = state === 'down' ? 'Down' : 'Partly down';
  return { ...part, tone: 'bad', word, now: `no answer since ${clockTime(since)}` };
}

/** Every process with its versions. */
export function ProcessesTable({ processes }: { readonly processes: readonly Process[] }) {
  return (
    <Section
      id="processes"
      title="Processes"
      about="Each reports every 5 seconds, and stays listed for an hour after its last report"
      brief={`${processes.filter(({ state }) => state === 'up').length} of ${processes.length} up`}
    >
      <Table
        label="Processes table"
        class="dense"
        columns={[
          'Process',
          'State',
          'Roles',
          'Version',
          'Node.js',
          ['Busy', 'n'],
          ['Memory', 'n'],
          'Reported',
        ]}
      >
        <tbody>
          {processes.map((process) => (
            <tr key={process.processId}>
              <th scope="row">
                <code>{process.processId}</code>
              </th>
              <td>
                <State
                  tone={TONES[process.state]}
                  {...(process.trouble !== null && { title: process.trouble })}
                >
                  {WORDS[process.state]}
                </State>
              </td>
              <td>{process.roles.join(', ')}</td>
              <td>{process.version}</td>
              <td>{process.nodeVersion}</td>
              <td class="n">{Math.round(process.busyPercent)} %</td>
              <td class="n">{megabytes(process.memoryBytes)}</td>
              <td class="num">{clockTime(process.at)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

const TONES: Readonly<Record<Process['state'], Tone>> = {
  up: 'ok',
  troubled: 'warn',
  stopping: 'idle',
  gone: 'bad',
};

const WORDS: Readonly<Record<Process['state'], string>> = {
  up: 'Up',
  troubled: 'Troubled',
  stopping: 'Stopped',
  gone: 'Gone',
};
