import { EGRESS_RULES } from '../../../processors/checks/egress/guard.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { MAIL_KINDS } from '../../../schemas/mail/documents.ts';
import { TOPIC_NAMES } from '../../../topics/catalogue.ts';
import { MAIL_FATES } from '../../../topics/ports/mailer.ts';
import {
  type LimiterMeter,
  type Meter,
  type OverloadMeter,
  type ProcessorMeter,
  type RequestMeter,
  TURNED_AWAY,
} from '../../../topics/ports/meter.ts';
import type { Instruments } from './instruments.ts';

/** Makes the meter that gateways, processors, workers and runners are handed. */
export function createMeter(instruments: Instruments): Meter {
  return { ...requestMeter(instruments), ...limiterMeter(instruments), ...processorMeter(instruments) };
}

const UNMATCHED = { method: '', path: '' };

function requestMeter(instruments: Instruments): RequestMeter & OverloadMeter {
  const seconds = instruments.histogram('requestSeconds');
  const errors = instruments.counter('requestErrors');
  const turnedAway = instruments.counter('turnedAway');
  for (const reason of TURNED_AWAY) turnedAway(reason);
  return {
    answered: ({ route, status, code, ms }) => {
      const { method, path } = route ?? UNMATCHED;
      seconds(method, path, statusClass(status)).observe(ms / SECOND_MS);
      // A rate sees only the growth of a time series, so it has to begin before the first failure.
      seconds(method, path, FAILED);
      if (code !== null) errors(method, path, code).inc();
    },
    turnedAway: (reason) => turnedAway(reason).inc(),
  };
}

const CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

const FAILED = '5xx';

/** The class of a status; `gone` if the caller went away before an answer. */
function statusClass(status: number | null): string {
  return status === null ? 'gone' : (CLASSES[Math.trunc(status / 100)] ?? '');
}

function limiterMeter(instruments: Instruments): LimiterMeter {
  const seconds = instruments.histogram('limiterSeconds');
  const pending = instruments.gauge('pendingUsage');
  for (const result of ['allowed', 'denied', 'unavailable']) seconds(result);
  return {
    checked: (result, ms) => seconds(result).observe(ms / SECOND_MS),
    usageFound: (counts) => pending.set(counts),
  };
}

/** The steps of an import that are work. */
const PHASES: Readonly<Record<string, string>> = {
  'import-splits': 'split',
  'import-preview-splits': 'split',
  'import-partitions': 'validate',
  'import-preview-partitions': 'validate',
};

/** The commands that begin a session. */
const SESSIONS: Readonly<Record<string, string>> = {
  'session-start': 'console',
  'mint-session': 'import',
  'issue-session': 'checklist',
};

/** The command that joins the result of a partition to its import. */
const JOIN = 'partition-validated';

function processorMeter(instruments: Instruments): ProcessorMeter {
  const commands = instruments.counter('commands');
  const age = instruments.histogram('commandSeconds');
  const late = instruments.counter('lateCommands');
  const batch = instruments.histogram('batchCommands');
  const deadLetters = instruments.counter('deadLetters');
  const evictedRows = instruments.counter('evictedRows');
  const lookups = instruments.counter('filterLookups');
  const work = instruments.histogram('workSeconds');
  const phase = instruments.histogram('importPhaseSeconds');
  const rows = instruments.counter('importRows');
  const runs = instruments.counter('checkRuns');
  const refused = instruments.counter('egressRefused');
  const sessions = instruments.counter('sessions');
  const mails = instruments.counter('mails');
  for (const topic of TOPIC_NAMES) {
    for (const counter of [deadLetters, late, evictedRows]) counter(topic);
  }
  for (const kind of MAIL_KINDS) for (const fate of MAIL_FATES) mails(kind, fate);
  for (const rule of EGRESS_RULES) refused(rule);
  for (const kind of Object.values(SESSIONS)) sessions(kind);
  return {
    committed: (topic, size, lateOnes) => {
      batch(topic).observe(size);
      if (lateOnes > 0) late(topic).inc(lateOnes);
    },
    decided: ({ topic, type, outcome, ageMs }) => {
      const code = outcome.kind === 'refused' ? outcome.refusal.code : '';
      // The clock of the log may be set back between append and commit.
      const seconds = Math.max(0, ageMs) / SECOND_MS;
      commands(topic, type, outcome.kind, code).inc();
      age(topic).observe(seconds);
      if (type === JOIN) phase('join').observe(seconds);
      const session = SESSIONS[type];
      if (session !== undefined && outcome.kind === 'done') sessions(session).inc();
    },
    deadLettered: (topic) => deadLetters(topic).inc(),
    evicted: (topic, count) => evictedRows(topic).inc(count),
    filtered: (topic, { absent, possible }) => {
      if (absent > 0) lookups(topic, 'absent').inc(absent);
      if (possible > 0) lookups(topic, 'possible').inc(possible);
    },
    worked: (topic, result, ms) => {
      work(topic, result).observe(ms / SECOND_MS);
      work(topic, 'failed');
      const name = PHASES[topic];
      if (name !== undefined && result === 'done') phase(name).observe(ms / SECOND_MS);
    },
    rowsValidated: (valid, invalid) => {
      rows('valid').inc(valid);
      rows('invalid').inc(invalid);
    },
    runEnded: (result) => runs(result).inc(),
    mailed: (kind, fate) => mails(kind, fate).inc(),
    egressRefused: (rule) => refused(rule).inc(),
  };
}
