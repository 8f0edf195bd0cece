import { useState } from 'preact/hooks';
import { Identifier } from '../../parts/table/identifier.tsx';
import { count, counted } from '../../parts/table/numbers.ts';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import type { ImportDetail } from './queries.ts';

/** Batches that are listed before a person asks for all: a file of 10,000 rows has a hundred. */
const BATCHES_SHOWN = 10;

/** The batches of a valid import, each with its acknowledgment. Their number is bounded by the service. */
export function Batches({ detail }: { readonly detail: ImportDetail }) {
  const { batches, acknowledgedBatches, approvedAt } = detail;
  const acknowledged =
    acknowledgedBatches === 0 ? 'none acknowledged' : `${count(acknowledgedBatches)} acknowledged`;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? batches : batches.slice(0, BATCHES_SHOWN);
  let firstRow = 1;
  return (
    <section aria-labelledby="batches">
      <div class="section-head">
        <h2 id="batches">Batches</h2>
        <p>{`${count(batches.length)}, ${acknowledged}`}</p>
      </div>
      <Table
        label="Batches table"
        class="batches-list dense"
        columns={[
          ['Index', 'n'],
          'Batch id',
          ['Rows', 'n'],
          ['Count', 'n'],
          'State',
          ['Acknowledged', 'end'],
        ]}
      >
        <tbody>
          {shown.map((batch) => {
            const from = firstRow;
            firstRow += batch.rowCount;
            return <Batch key={batch.index} batch={batch} from={from} isApproved={approvedAt !== null} />;
          })}
        </tbody>
      </Table>
      {shown.length < batches.length && (
        <p class="under">
          <button type="button" class="btn small" onClick={() => setWhole(true)}>
            {`Show all ${counted(batches.length, 'batch', 'batches')}`}
          </button>
        </p>
      )}
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
