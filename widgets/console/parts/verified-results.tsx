import type { Schemas } from '../api/interface.ts';
import { Identifier } from './identifier.tsx';
import { Scroller } from './scroller.tsx';
import { State } from './state.tsx';
import { RelativeTime } from './time.tsx';

type Result = Schemas['VerifiedResult'];

const KINDS: Readonly<
  Record<Result['kind'], { readonly word: string; readonly seen: string; readonly id: string }>
> = {
  import: { word: 'Import ready', seen: 'Every row of the file is valid', id: 'import id' },
  feedback: { word: 'Feedback verified', seen: 'A submission of a visitor', id: 'submission id' },
  checklist: { word: 'Event accepted', seen: 'The latest event of a checklist step', id: 'checklist id' },
  run: { word: 'Check passed', seen: 'The latest verified run of a browser check', id: 'run id' },
};

interface VerifiedResultsProps {
  readonly results: readonly Result[];
  readonly hint?: string;
}

/** The results that a claim can rest on. */
export function VerifiedResults({
  results,
  hint = 'What the service saw happen, not what a client reported',
}: VerifiedResultsProps) {
  return (
    <section aria-labelledby="verified">
      <div class="section-head">
        <h2 id="verified">Verified results</h2>
        <p>{hint}</p>
      </div>
      <Scroller label="Verified results table">
        <table class="dense">
          <thead>
            <tr>
              <th scope="col">Result</th>
              <th scope="col">What was seen</th>
              <th scope="col">Id</th>
              <th scope="col" class="end">
                When
              </th>
            </tr>
          </thead>
          <tbody>
            {results.map((result) => (
              <tr key={`${result.kind}${result.id}`}>
                <td>
                  <State tone="ok">{KINDS[result.kind].word}</State>
                </td>
                <td>{KINDS[result.kind].seen}</td>
                <td>
                  <Identifier value={result.id} name={KINDS[result.kind].id} />
                </td>
                <td class="end muted">
                  <RelativeTime at={result.at} />
                </td>
              </tr>
            ))}
            {results.length === 0 && (
              <tr>
                <td colSpan={4} class="muted">
                  None yet. The first accepted event of a checklist step, an import in which every row is
                  valid, a verified run of a browser check, or a verified feedback submission is one.
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </Scroller>
    </section>
  );
}
