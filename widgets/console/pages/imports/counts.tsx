import type { ComponentChildren } from 'preact';
import { changedText } from '../../../../schemas/imports/changed-texts.ts';
import { parseUrl } from '../../../shared/parse-url.ts';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Shape } from '../../parts/table/state.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { Correction, goToSection } from './correction.tsx';
import { ROW_ERRORS } from './import-state.ts';
import type { ImportDetail, Place } from './queries.ts';
import { errorsInWords, FilterLink } from './rows/rows-section.tsx';

type Rows = ImportDetail['rows'];

interface ErrorsPanelProps {
  readonly place: Place;
  readonly detail: ImportDetail;
  readonly field: string | null;
  readonly code: string | null;
}

/** The number of errors, how to correct them, and the errors by column and code. Each group leads to its rows. */
export function ErrorsPanel({ place, detail, field, code }: ErrorsPanelProps) {
  return (
    <section class="panel" aria-labelledby="problems">
      <div class="panel-head">
        <h2 id="problems">{errorsInWords(detail)}</h2>
      </div>
      <RowCounts rows={detail.rows} />
      <SenderChanges changes={detail.changes} />
      <Correction place={place} detail={detail} />
      <ul class="groups">
        {detail.errorCounts.map((group) => (
          <li key={`${group.column}/${group.code}`}>
            <FilterLink
              filter={{ shown: 'invalid', field: group.column, code: group.code }}
              isCurrent={group.column === field && group.code === code}
              onClick={showRows}
            >
              <code>{group.column === null ? 'whole row' : visibleText(group.column)}</code>
              <span>{ROW_ERRORS[group.code]}</span>
              <b>{count(group.count)}</b>
            </FilterLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Below it, the window shows the heading of the rows without the rows. */
const IN_SIGHT_PX = 240;

/** Shows the rows of the chosen group, unless they are in sight. */
function showRows(): void {
  const top = document.getElementById('rows')?.getBoundingClientRect().top ?? 0;
  if (top > innerHeight - IN_SIGHT_PX) goToSection('rows');
}

interface ApprovedPanelProps {
  readonly detail: ImportDetail;
  readonly sourceSha256: string | null;
  readonly origins: readonly string[];
}

/** Exactly what an approval is about. */
export function WhatYouApprove({ detail, sourceSha256, origins }: ApprovedPanelProps) {
  const { schemaRevision, mappingRevision, batches } = detail;
  const largest = Math.max(0, ...batches.map(({ rowCount }) => rowCount));
  const isOpen = detail.status === 'ready';
  return (
    <section class="panel" aria-labelledby="what">
      <div class="panel-head">
        <h2 id="what">{isOpen ? 'What you approve' : 'What was approved'}</h2>
        <span>Exactly this file, this mapping and these batches</span>
      </div>
      <RowCounts rows={detail.rows} />
      <SenderChanges changes={detail.changes} />
      <div class="foot-facts">
        <Facts inset>
          <Fact name="Source SHA-256">
            {sourceSha256 === null ? '' : <Identifier value={sourceSha256} name="source SHA-256" />}
          </Fact>
          <Fact name="Revisions">{`schema ${schemaRevision}, mapping ${mappingRevision ?? 0}`}</Fact>
          <Fact name="Batches">{`${count(batches.length)} of at most ${count(largest)} rows`}</Fact>
          <Fact name="Goes to">
            {origins.length === 0 ? '' : `backend of ${origins.map(hostOf).join(', ')}`}
          </Fact>
        </Facts>
      </div>
    </section>
  );
}

/** The changes that the sender says it made before the upload. The service cannot verify them. */
function SenderChanges({ changes = [] }: { readonly changes: ImportDetail['changes'] | undefined }) {
  if (changes.length === 0) return null;
  return (
    <div class="panel-body sender-changes">
      <p>The sender says:</p>
      <ul>
        {changes.map(changedText).map((text) => (
          <li key={text}>{visibleText(text)}</li>
        ))}
      </ul>
    </div>
  );
}

function hostOf(origin: string): string {
  return visibleText(parseUrl(origin)?.host ?? origin);
}

const BAR_WIDTH = 100;
const GAP = 0.3;

/** Rows by what became of them, as a bar and in words. */
export function RowCounts({ rows }: { readonly rows: Rows }) {
  const { total, valid, invalid, blank } = rows;
  const share = (part: number) => (total === 0 ? 0 : (part / total) * BAR_WIDTH);
  const parts = [
    { tone: 'ok', from: 0, width: share(valid) },
    { tone: 'bad', from: share(valid), width: share(invalid) },
    { tone: 'idle', from: share(valid + invalid), width: share(blank) },
  ].filter(({ width }) => width > 0);
  return (
    <div class="panel-body counts">
      <svg class="bar thick" viewBox={`0 0 ${BAR_WIDTH} 4`} preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ tone, from, width }, at) => (
          <rect
            key={tone}
            class={tone}
            x={at === 0 ? from : from + GAP}
            width={at === 0 ? width : Math.max(GAP, width - GAP)}
            height="4"
          />
        ))}
      </svg>
      <ul class="legend">
        <Count number={total}>rows</Count>
        <Count number={valid} class="tone-ok" tone="ok">
          valid
        </Count>
        <Count number={invalid} class="tone-bad" tone="bad">
          invalid
        </Count>
        {blank > 0 && (
          <Count number={blank} tone="idle">
            blank, skipped
          </Count>
        )}
      </ul>
    </div>
  );
}

interface CountProps {
  readonly number: number;
  readonly tone?: 'ok' | 'bad' | 'idle';
  readonly class?: string;
  readonly children: ComponentChildren;
}

function Count({ number, tone, class: className, children }: CountProps) {
  return (
    <li>
      {tone !== undefined && (
        <span class={className}>
          <Shape tone={tone} />
        </span>
      )}
      <b>{count(number)}</b> {children}
    </li>
  );
}
