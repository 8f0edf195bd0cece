import { useQuery } from '@tanstack/preact-query';
import { Dialog } from '../../parts/form/dialog.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { type Topic, topicsQuery } from './queries.ts';

/** The partitions of a topic that are behind or halted, with the process that reads each. */
export function TopicDialog({ topic: { topic, group }, onClose }: { topic: Topic; onClose: () => void }) {
  const list = useQuery(topicsQuery);
  const found = list.data?.topics.find((each) => each.topic === topic && each.group === group);
  return (
    <Dialog
      title={`Partitions of ${topic}`}
      hint={
        found &&
        `${counted(found.partitions, 'partition')}, ${counted(found.lag, 'record')} behind, read by ${group}`
      }
      onClose={onClose}
    >
      {list.error !== null && <ProblemPanel error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <PanelSkeleton />}
      {found !== undefined && found.behind.length === 0 && <p>None is behind.</p>}
      {found !== undefined && found.behind.length > 0 && (
        <Table
          label="Partitions table"
          class="dense"
          columns={['Partition', ['Lag', 'n'], 'Oldest', 'Halted', 'Process']}
        >
          <tbody>
            {found.behind.map(({ partition, lag, oldestAt, halted, processId }) => (
              <tr key={`${partition} ${processId}`}>
                <th scope="row" class="num">
                  {partition}
                </th>
                <td class="n">{count(lag)}</td>
                <td>{oldestAt === null ? '–' : <RelativeTime at={oldestAt} />}</td>
                <td class="wrap">{halted ?? 'no'}</td>
                <td>
                  <code>{processId}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <div class="actions">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
