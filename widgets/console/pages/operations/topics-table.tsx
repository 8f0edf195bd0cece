import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useOpened } from '../../parts/form/use-asked.ts';
import { count, counted } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { State, type Tone } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { None } from './activity.tsx';
import { clockTime, rate, shortAge } from './ages.ts';
import { highest, pathOf } from './lines.ts';
import { historyQuery, RANGES, type Range, type Topic } from './queries.ts';
import { Section } from './section.tsx';
import { ageOf } from './tally.tsx';
import { TopicDialog } from './topic-dialog.tsx';

/** From here on a topic that grows falls behind. */
const BEHIND_AGE_MS = 30_000;

interface TopicsProps {
  readonly topics: readonly Topic[];
  readonly range: Range;
}

/** Every topic with its lag, its age and its rates. A row leads to the partitions. */
export function TopicsSection({ topics, range }: TopicsProps) {
  const [areSweepsShown, showSweeps] = useState(false);
  const [open, setOpen] = useOpened<Topic>();
  const sweeps = topics.filter(({ isBehindOnPurpose }) => isBehindOnPurpose);
  const shown = areSweepsShown ? topics : topics.filter(({ isBehindOnPurpose }) => !isBehindOnPurpose);
  return (
    <Section
      id="topics"
      title="Topics"
      about="Lag in records; rates per second over 5 minutes"
      brief={<TopicsState topics={topics} />}
    >
      <Table
        label="Topics table"
        class="topics-list dense"
        columns={[
          'Topic',
          ['Partitions', 'n'],
          ['Lag', 'n'],
          ['Oldest', 'n'],
          RANGES.find((each) => each.range === range)?.label ?? '',
          ['In', 'n'],
          ['Out', 'n'],
          'State',
        ]}
      >
        <Rows>
          {shown.map((topic) => (
            <TopicRow
              key={`${topic.topic} ${topic.group}`}
              topic={topic}
              range={range}
              onOpen={() => setOpen(topic)}
            />
          ))}
          {shown.length === 0 && <None columns={8}>A topic comes here once a process reads it.</None>}
        </Rows>
      </Table>
      {sweeps.length > 0 && (
        <p class="hint below">
          {counted(sweeps.length, 'reader waits', 'readers wait')} on purpose until records have a certain
          age.{' '}
          <button
            type="button"
            class="link"
            aria-pressed={areSweepsShown}
            onClick={() => showSweeps(!areSweepsShown)}
          >
            Show these too
          </button>
        </p>
      )}
      {open !== null && <TopicDialog topic={open} onClose={() => setOpen(null)} />}
    </Section>
  );
}

interface TopicRowProps {
  readonly topic: Topic;
  readonly range: Range;
  readonly onOpen: () => void;
}

function TopicRow({ topic, range, onOpen }: TopicRowProps) {
  const { topic: name, group, partitions, lag, oldestAt, inPerSecond, outPerSecond } = topic;
  const { tone, words } = stateOf(topic);
  return (
    <tr>
      <th scope="row">
        <button type="button" class="link plain" data-open onClick={onOpen}>
          <code>{name}</code>
        </button>
        {topic.isBehindOnPurpose && <span class="sub">{group}</span>}
      </th>
      <td class="n">{count(partitions)}</td>
      <td class="n">{count(lag)}</td>
      <td class="n">{oldestAt === null ? '–' : shortAge(ageOf(topic))}</td>
      <td>
        <Trend topic={name} group={group} range={range} />
      </td>
      <td class="n">{rate(inPerSecond)}</td>
      <td class="n">{rate(outPerSecond)}</td>
      <td>
        <State tone={tone}>{words}</State>
      </td>
    </tr>
  );
}

/** The lag of a topic over the range of the charts. */
function Trend({ topic, group, range }: { topic: string; group: string; range: Range }) {
  const { data } = useQuery(historyQuery(range));
  const line = data?.topics.find((each) => each.topic === topic && each.group === group)?.lag ?? [];
  return (
    <svg class="trend" viewBox="0 -4 96 108" preserveAspectRatio="none" aria-hidden="true">
      <path d={pathOf(line, Math.max(1, highest([line])), 96)} />
    </svg>
  );
}

/** The state of all topics in a few words. */
function TopicsState({ topics }: { readonly topics: readonly Topic[] }) {
  const states = topics.filter(({ isBehindOnPurpose }) => !isBehindOnPurpose).map(stateOf);
  const late = states.filter(({ tone }) => tone !== 'ok').length;
  if (states.length === 0) return <>None is read</>;
  if (late === 0) return <State tone="ok">{`All ${count(states.length)} keep up`}</State>;
  const worst = states.find(({ tone }) => tone === 'bad') ?? states.find(({ tone }) => tone === 'warn');
  return (
    <State
      tone={worst?.tone ?? 'idle'}
    >{`${count(states.length - late)} of ${count(states.length)} keep up`}</State>
  );
}

function stateOf(topic: Topic): { readonly tone: Tone; readonly words: string } {
  const { halted, isCurrent, readAt, isBehindOnPurpose, oldestAt, lag, inPerSecond, outPerSecond } = topic;
  if (halted > 0) return { tone: 'bad', words: `${counted(halted, 'partition')} halted` };
  if (!isCurrent) return { tone: 'idle', words: `Old, as of ${clockTime(readAt)}` };
  if (isBehindOnPurpose) return { tone: 'idle', words: 'Waits on purpose' };
  const grows = inPerSecond !== null && outPerSecond !== null && inPerSecond > outPerSecond;
  const isOld = oldestAt !== null && ageOf(topic) >= BEHIND_AGE_MS;
  if (isOld || (lag > 1_000 && grows)) return { tone: 'warn', words: 'Falls behind' };
  return { tone: 'ok', words: 'Keeps up' };
}
