import { count } from '../../parts/table/numbers.ts';
import { Table } from '../../parts/table/table.tsx';
import { None } from './activity.tsx';
import { rate, shortAge } from './ages.ts';
import type { Topic } from './queries.ts';
import { Section } from './section.tsx';
import { ageOf } from './tally.tsx';

/** The topics of work that people wait for. */
const QUEUES: Readonly<Record<string, string>> = {
  'import-splits': 'Uploaded files to split',
  'import-partitions': 'Parts of files to validate',
  'check-runs': 'Browser runs',
};

/** The work that waits for workers and runners. */
export function Queues({ topics }: { readonly topics: readonly Topic[] }) {
  const queues = topics.filter(
    ({ topic, group }) => QUEUES[topic] !== undefined && group === `work-${topic}`,
  );
  return (
    <Section
      id="queues"
      title="Imports and runs"
      about="Work that waits or is under way"
      brief={`${count(queues.reduce((sum, { lag }) => sum + lag, 0))} waiting`}
    >
      <Table
        label="Queues table"
        class="dense"
        columns={['Work', ['Waiting', 'n'], ['Oldest', 'n'], ['Done per second', 'n']]}
      >
        <tbody>
          {queues.map((topic) => (
            <tr key={topic.topic}>
              <th scope="row">{QUEUES[topic.topic]}</th>
              <td class="n">
                <a href="#topics">{count(topic.lag)}</a>
              </td>
              <td class="n">{topic.oldestAt === null ? '–' : shortAge(ageOf(topic))}</td>
              <td class="n">{rate(topic.outPerSecond)}</td>
            </tr>
          ))}
          {queues.length === 0 && <None columns={4}>Work comes here once a worker or runner reads it.</None>}
        </tbody>
      </Table>
    </Section>
  );
}
