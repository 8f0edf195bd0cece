// Loads all products for minutes, restarts everything in the middle, and looks for errors, losses and growth.
import { positiveOption, readCommandLine } from '../../tools/command-line.ts';
import { type SoakOptions, soak, tableOf } from './soak.ts';

const HELP = `
npm run soak -- OPTIONS

Loads all products through clients that repeat as documented, restarts every process in the middle, and reads memory, file
descriptors, threads and disk all the time. It fails if a client sees an error, if something acknowledged is lost or doubled, or
if a series grows beyond its bound. A cluster is that of npm run cluster -- up. Needs /proc.

  --minutes 30          duration
  --engine embedded     or cluster
  --per-second 30       operations that clients begin in a second
`;

const FINDINGS_SHOWN = 40;

const { values } = readCommandLine(HELP, {
  options: {
    minutes: { type: 'string', default: '30' },
    engine: { type: 'string', default: 'embedded' },
    'per-second': { type: 'string', default: '30' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const engine = engineOf(values.engine);
const { findings, series } = await soak({
  engine,
  seconds: positiveOption('minutes', values.minutes) * 60,
  perSecond: positiveOption('per-second', values['per-second']),
  report: say,
});
say(`\n${tableOf(series)}`);
for (const finding of findings.slice(0, FINDINGS_SHOWN)) say(finding);
const sound = findings.length === 0 && series.every(({ holds }) => holds);
say(sound ? 'Everything held.' : `It did not hold: ${findings.length} findings.`);
process.exitCode = sound ? 0 : 1;

function engineOf(name: string): SoakOptions['engine'] {
  if (name === 'embedded' || name === 'cluster') return name;
  process.stderr.write(`--engine: expected embedded or cluster, seen ${JSON.stringify(name)}\n`);
  process.exit(2);
}
