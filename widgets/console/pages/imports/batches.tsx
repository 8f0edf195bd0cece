import { Identifier } from '../../parts/identifier.tsx';
import { count, counted } from '../../parts/numbers.ts';
import { Scroller } from '../../parts/scroller.tsx';
import { State } from '../../parts/state.tsx';
import { AbsoluteTime } from '../../parts/time.tsx';
import type { ImportDetail } from './queries.ts';

/** The batches of a valid import, each with its acknowledgment. Their number is bounded by the service. */
export function Batches({ detail }: { readonly detail: ImportDetail }) {
  const { batches, acknowledgedBatches, approvedAt } = detail;
  const acknowledged =
    acknowledgedBatches === 0 ? 'none acknowledged' : `${count(acknowledgedBatches)} acknowledged`;
  let firstRow = 1;
  return (
    <section aria-labelledby="batches">
      <div class="section-head">
        <h2 id="batches">Batches</h2>
        <p>{`${count(batches.length)}, ${acknowledged}`}</p>
      </div>
      <Scroller label="Batches table">
        <table class="dense">
          <thead>
            <tr>
              <th scope="col" class="n">
                Index
              </th>
              <th scope="col">Batch id</th>
              <th scope="col" class="n">
                Rows
              </th>
              <th scope="col" class="n">
                Count
              </th>
              <th scope="col">State</th>
              <th scope="col" class="end">
                Acknowledged
              </th>
            </tr>
          </thead>
          <tbody>
            {batches.map((batch) => {
              const from = firstRow;
              firstRow += batch.rowCount;
              return <Batch key={batch.index} batch={batch} from={from} isApproved={approvedAt !== null} />;
            })}
          </tbody>
        </table>
      </Scroller>
    </section>
  );
}

interface BatchProps {
  readonly batch: ImportDetail['batches'][number];
  readonly from: number;
  readonly isApproved: boolean;
}

function Batch({ batch: { index, batchId, rowCount, acknowledgedAt }, from, isApproved }: BatchProps) {
  return (
    <tr>
      <td class="n muted">{count(index)}</td>
      <td>
        <Identifier value={batchId} name={`id of batch ${index}`} />
      </td>
      <td class="n">{`${count(from)} to ${count(from + rowCount - 1)}`}</td>
      <td class="n" title={counted(rowCount, 'row')}>
        {count(rowCount)}
      </td>
      <td>
        {acknowledgedAt !== null ? (
          <State tone="ok">Acknowledged</State>
        ) : isApproved ? (
          <State tone="info">Waits for your backend</State>
        ) : (
          <State tone="idle">Not approved</State>
        )}
      </td>
      <td class="end muted">{acknowledgedAt === null ? 'none' : <AbsoluteTime at={acknowledgedAt} />}</td>
    </tr>
  );
}
