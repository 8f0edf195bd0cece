import { counted } from '../../schemas/base/text.ts';
import { isoTime, SECOND_MS } from '../../schemas/base/time.ts';
import { missedProcesses } from '../../schemas/operations/missed-processes.ts';
import {
  BAD_LEAST,
  BURN_RATE_PAGE,
  CHECK_FAST_MS,
  OBJECTIVES,
  runbookEntry,
  WATCHED_AGES,
} from '../../schemas/operations/objectives.ts';
import type { EngineName } from '../../schemas/operations/process-report.ts';
import type {
  Finding,
  OperationsSummary,
  ProcessSummary,
  TopicDetail,
  TopicSummary,
} from '../../schemas/operations/summary.ts';
import { foldGroupOf, TOPIC_NAMES, TOPICS, workGroupOf } from '../../topics/catalogue.ts';
import type { AnswerCounts } from './history.ts';

/** The summary before its findings, with the partitions of each topic. */
export type Numbers = Omit<OperationsSummary, 'findings' | 'topics'> & {
  readonly topics: readonly TopicDetail[];
};

/** Answers of a minute from which a share of errors says something. */
const ANSWERS_LEAST = 50;

/** The part of the answers of a minute from which errors spend the budget of a month fast enough for a page. */
const ERRORS_MOST = BURN_RATE_PAGE * (1 - OBJECTIVES.checksAnswered.share);

/**
 * Returns what is wrong, the worst first. Each name is the anchor of an entry in infra/docs/runbook.md.
 *
 * @param slowChecks the checks of the latest hour, and those of them that took too long
 */
export function findingsOf(numbers: Numbers, slowChecks: AnswerCounts): Finding[] {
  const found = [
    ...engines(numbers),
    ...halted(numbers.topics),
    ...shortOfRoom(numbers.processes),
    ...gone(numbers.processes),
    ...troubled(numbers.processes),
    ...unfilled(numbers),
    ...unread(numbers),
    ...behind(numbers.topics),
    ...errors(numbers),
    ...slow(slowChecks),
    ...old(numbers),
  ];
  return [...found.filter(({ severity }) => severity === 'bad'), ...found.filter(isWarning)];
}

function isWarning({ severity }: Finding): boolean {
  return severity === 'warn';
}

interface EngineWords {
  readonly label: string;
  readonly affected: string;
  /** The entry of the runbook. */
  readonly entry: string;
}

const ENGINES: Readonly<Record<EngineName, EngineWords>> = {
  embedded: {
    label: 'The embedded engine',
    entry: 'process-not-ready',
    affected: 'All clients: requests are answered 503, and checks of the rate limiter 500.',
  },
  kafka: {
    label: 'Kafka',
    entry: 'appends-failing',
    affected:
      'Everyone who changes something: such requests are answered 503. Reads and checks of the rate limiter work.',
  },
  cassandra: {
    label: 'Cassandra',
    entry: 'commits-failing',
    affected:
      'Everyone who reads or changes something: such requests are answered 503. Checks of the rate limiter with keys in use work.',
  },
  redis: {
    label: 'Redis',
    entry: 'limiter-store-unavailable',
    affected:
      'Checks of the rate limiter are answered 500. Requests with a limit by caller are answered 503, and changes are answered late.',
  },
};

function engines({ engines: all }: Numbers): Finding[] {
  return all.flatMap(({ name, state, since, up, processes }): Finding[] => {
    const { label, affected, entry } = ENGINES[name];
    if (state === 'up') return [];
    return [
      {
        name: entry,
        severity: 'bad',
        title:
          state === 'down' ? `${label} does not answer` : `${label} answers ${up} of ${processes} processes`,
        affected: state === 'down' ? affected : `Requests of the other processes. ${affected}`,
        cure: 'Check the server and its log, and start it again. The processes recover without a restart.',
        since,
      },
    ];
  });
}

/** Partitions that stand still, in one finding: mostly they have one cause. */
function halted(topics: readonly TopicDetail[]): Finding[] {
  const all = topics.filter((topic) => topic.halted > 0);
  const [first] = all;
  if (first === undefined) return [];
  const count = all.reduce((sum, topic) => sum + topic.halted, 0);
  const where = all.length === 1 ? first.topic : `${all.length} topics`;
  return [
    {
      name: 'partition-halted',
      severity: 'bad',
      title: `${counted(count, 'partition')} of ${where} ${count === 1 ? 'has' : 'have'} halted`,
      affected: affectedByHalt(all),
      cure: `${reasonOfHalt(first)}After that is corrected, the process continues: it tries again every five seconds. As the last resort, npm run ops -- pass-over passes over the record.`,
      since: all.flatMap(({ oldestAt }) => oldestAt ?? []).sort()[0] ?? null,
    },
  ];
}

function affectedByHalt(all: readonly TopicDetail[]): string {
  const parts = all.map(({ topic, halted: count, partitions }) =>
    all.length === 1
      ? `about ${count} in ${partitions} of the customers who need this: ${carriedBy(topic)}`
      : `${count} in ${partitions} of ${topic}`,
  );
  const isAnswered = all.some(({ topic, group }) =>
    TOPIC_NAMES.some((name) => name === topic && foldGroupOf(name) === group),
  );
  return `A part of the customers, ${parts.join(', ')}. ${isAnswered ? 'Their requests are answered 503' : 'Their work waits'}; all others continue.`;
}

/** Returns the reason of the first partition that stands still, as its process names it. */
function reasonOfHalt({ topic, behind: all }: TopicDetail): string {
  const first = all.find((each) => each.halted !== null);
  return first === undefined
    ? ''
    : `Partition ${first.partition} of ${topic} stands still: ${first.halted}. `;
}

/** Returns the content of the records of a topic in words. */
function carriedBy(topic: string): string {
  const known = TOPIC_NAMES.find((each) => each === topic);
  return known === undefined ? topic : TOPICS[known].carries;
}

function shortOfRoom(processes: readonly ProcessSummary[]): Finding[] {
  if (!running(processes).some(({ isShortOfRoom }) => isShortOfRoom)) return [];
  return [
    {
      name: 'disk-room-scarce',
      severity: 'bad',
      title: 'The disk is full up to the reserve',
      affected:
        'Everyone who creates, uploads or reports something: such requests are answered 503. Reads, ends and erasures work until the reserve is full as well.',
      cure: 'Make room on the disk of the data folder, or on that of its folder blobs (df and du say what fills it), or enlarge it. The service then continues automatically.',
      since: null,
    },
  ];
}

function gone(processes: readonly ProcessSummary[]): Finding[] {
  const all = missedProcesses(processes);
  const roles = new Set(all.flatMap((process) => process.roles));
  const left = new Set(running(processes).flatMap((process) => process.roles));
  const missing = [...roles].filter((role) => !left.has(role));
  const [first] = all;
  if (first === undefined) return [];
  return [
    {
      name: 'process-down',
      severity: missing.length > 0 ? 'bad' : 'warn',
      title: `${all.length === 1 ? '1 process has' : `${all.length} processes have`} gone without being stopped`,
      affected:
        missing.length > 0
          ? `All work of ${missing.join(', ')}: no process does this now.`
          : `Others do the work of ${[...roles].join(', ')}, with less room for more.`,
      cure: 'Find in the log of the process why it ended, and start it again. If it hangs, it still runs: end it first.',
      since: first.at,
    },
  ];
}

function running(processes: readonly ProcessSummary[]): ProcessSummary[] {
  return processes.filter(({ state }) => state === 'up' || state === 'troubled');
}

function troubled(processes: readonly ProcessSummary[]): Finding[] {
  const texts = Map.groupBy(
    running(processes).filter(({ trouble }) => trouble !== null),
    ({ trouble }) => trouble ?? '',
  );
  return [...texts].map(([trouble, all]) => ({
    name: 'process-not-ready',
    severity: 'warn',
    title: `${all.length === 1 ? 'A process' : `${all.length} processes`} cannot do a part of the work`,
    affected: `Those who wait for ${[...new Set(all.flatMap(({ roles }) => roles))].join(', ')}.`,
    cure: trouble,
    since: null,
  }));
}

/** The roles beside that of the process which answers, and who waits while no process has them. */
const AFFECTED_WITHOUT: Readonly<
  Record<'processors' | 'workers' | 'runner', Pick<Finding, 'severity' | 'affected'>>
> = {
  processors: {
    severity: 'bad',
    affected: 'Everyone who changes something: such requests are answered 503 after ten seconds.',
  },
  workers: { severity: 'bad', affected: 'Everyone who waits for an import, or for an erasure.' },
  runner: {
    severity: 'warn',
    affected: 'Everyone who waits for a browser run: it ends at its deadline and is not charged.',
  },
};

/** Roles that no running process has. Long after the last one has left, no process and no topic shows that there was one. */
function unfilled(numbers: Numbers): Finding[] {
  return missingRoles(numbers).map((role) => {
    const left = numbers.processes.flatMap(({ roles, at }) => (roles.includes(role) ? [at] : []));
    return {
      name: 'topic-unattended',
      title: `No process has the role ${role}`,
      cure: `Start a process with SVC_ROLES=${role}. What waits in the topics is then handled.`,
      since: left.sort().at(-1) ?? null,
      ...AFFECTED_WITHOUT[role],
    };
  });
}

/** None while engines do not answer: then the reports of other processes may not arrive. */
function missingRoles({ processes, isCurrent, engines: all }: Numbers): (keyof typeof AFFECTED_WITHOUT)[] {
  if (!isCurrent || all.some(({ state }) => state !== 'up')) return [];
  const filled = new Set(running(processes).flatMap(({ roles }) => roles));
  return (['processors', 'workers', 'runner'] as const).filter((role) => !filled.has(role));
}

/** Topics that no running process consumes, in one finding: they have one cause. A role that is missing is a finding itself. */
function unread(numbers: Numbers): Finding[] {
  if (numbers.engines.some(({ state }) => state !== 'up')) return [];
  const missing = missingRoles(numbers);
  const unread = numbers.topics.filter((topic) => {
    const isExplained = missing.some((role) => (role === 'processors') !== isWork(topic));
    return !topic.isCurrent && !topic.isBehindOnPurpose && !isExplained;
  });
  const [first] = unread;
  if (first === undefined) return [];
  const names = [...new Set(unread.map(({ topic }) => topic))];
  const isOne = names.length === 1;
  return [
    {
      name: 'topic-unattended',
      severity: 'bad',
      title: isOne ? `No process reads ${first.topic}` : `No process reads ${names.length} topics`,
      affected: isOne
        ? `Everyone waiting for this: ${carriedBy(first.topic)}.`
        : `Everyone waiting for work from these: ${names.join(', ')}.`,
      cure: 'Start a process with the role that reads the topic; SVC_ROLES names the roles of a process.',
      since: first.readAt,
    },
  ];
}

function behind(topics: readonly TopicSummary[]): Finding[] {
  return topics.flatMap((topic): Finding[] => {
    const { oldestAt, readAt, isCurrent, isBehindOnPurpose, lag } = topic;
    if (oldestAt === null || !isCurrent || isBehindOnPurpose || topic.halted > 0) return [];
    const age = Date.parse(readAt) - Date.parse(oldestAt);
    const { alert, limitMs, forMs, severity } = isWork(topic) ? WATCHED_AGES.work : WATCHED_AGES.fold;
    if (age <= limitMs) return [];
    return [
      {
        name: runbookEntry(alert),
        // The alert of the same age pages now: the oldest record was too old for as long.
        severity: severity === 'page' && age >= limitMs + forMs ? 'bad' : 'warn',
        title: `${lag} records of ${topic.topic} wait, the oldest for ${Math.round(age / SECOND_MS)} s`,
        affected: `Everyone waiting for this: ${carriedBy(topic.topic)}.`,
        cure: 'If an engine is down, start with that. Otherwise add processes that read the topic, or stop what fills it.',
        since: oldestAt,
      },
    ];
  });
}

function isWork({ topic, group }: TopicSummary): boolean {
  return TOPIC_NAMES.some((name) => name === topic && workGroupOf(name) === group);
}

function errors({ requests: { checks, others } }: Numbers): Finding[] {
  return [
    { what: 'Checks of the rate limiter', counts: checks, entry: 'checks-unavailable' },
    { what: 'Requests', counts: others, entry: 'events-refused' },
  ].flatMap(({ what, counts, entry }): Finding[] => {
    const share = counts.answers === 0 ? 0 : counts.errors / counts.answers;
    if (counts.answers < ANSWERS_LEAST || share <= ERRORS_MOST) return [];
    return [
      {
        name: entry,
        severity: 'bad',
        title: `${Math.round(share * 1_000) / 10} % of the answers of the latest minute were errors`,
        affected: `${what}: ${counts.errors} of ${counts.answers} were answered with 500 or above.`,
        cure: 'The log has each with its route and request id. If an engine is down, start with that.',
        since: null,
      },
    ];
  });
}

function slow({ all, counted: slowCount, since }: AnswerCounts): Finding[] {
  const { alert, share } = OBJECTIVES.checksFast;
  const part = all === 0 ? 0 : slowCount / all;
  if (slowCount <= BAD_LEAST || part <= 1 - share) return [];
  return [
    {
      name: runbookEntry(alert),
      severity: part > BURN_RATE_PAGE * (1 - share) ? 'bad' : 'warn',
      title: `${percent(1 - part)} of the checks of an hour took at most ${CHECK_FAST_MS} ms, the goal is ${percent(share)}`,
      affected: 'Every request of an application that waits for its check.',
      cure: 'Look whether Redis or the network to it is slow. If neither is, add gateways.',
      since: since === null ? null : isoTime(since),
    },
  ];
}

/** `99.5 %`, rounded down, so that a missed goal never looks met. */
function percent(part: number): string {
  return `${Math.floor(part * 10_000 + 1e-6) / 100} %`;
}

function old({ isCurrent, readAt, processes, engines: all }: Numbers): Finding[] {
  if (isCurrent || all.some(({ state }) => state !== 'up')) return [];
  return [
    {
      name: 'limiter-store-unavailable',
      severity: 'warn',
      title: 'The numbers of other processes are old',
      affected: `Only this page: ${processes.length === 1 ? 'one process is' : 'processes are'} shown as of then.`,
      cure: 'Redis keeps the reports of processes. Look whether it answers all of them.',
      since: readAt,
    },
  ];
}
