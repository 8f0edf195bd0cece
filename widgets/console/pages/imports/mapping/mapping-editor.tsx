import { useQueryClient } from '@tanstack/preact-query';
import { useId, useState } from 'preact/hooks';
import { hasStatus } from '../../../api/client.ts';
import { isInDoubt } from '../../../api/lost-answer.ts';
import { useDraft } from '../../../parts/form/draft.ts';
import { FieldName, fieldNotes } from '../../../parts/form/field-name.tsx';
import { fieldRules } from '../../../parts/form/field-rules.ts';
import { useHeldBack } from '../../../parts/form/use-asked.ts';
import { toast } from '../../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../../parts/loading/problem-panel.tsx';
import { count } from '../../../parts/table/numbers.ts';
import { Table } from '../../../parts/table/table.tsx';
import { visibleStart } from '../../../parts/table/visible-text.ts';
import { changesBetween, readAgain, useMap } from '../import-changes.ts';
import type { ImportDetail, ImportField, Place } from '../queries.ts';
import { CELL_CHARACTERS_SHOWN } from '../rows/columns.ts';
import { type Choice, choiceFaults, fieldsToMap, firstChoice, mappingOf } from './mapping-choice.ts';

/** The number of values of a column that are shown. */
const SAMPLES_MAX = 3;

export interface MappingEditorProps {
  readonly place: Place;
  readonly detail: ImportDetail;
  readonly fields: readonly ImportField[];
  /** The first rows of the file; null for a row that is too large. */
  readonly sample: readonly (readonly string[] | null)[];
  /** Null while there is no mapping to go back to. */
  readonly onClose: (() => void) | null;
}

/** Chooses a source column for each field, required fields first, and saves the next revision. */
export function MappingEditor({ place, detail, fields, sample, onClose }: MappingEditorProps) {
  const queries = useQueryClient();
  const save = useMap(place);
  // The import as it was when the editor was opened: its next revision is what is saved.
  const [base, setBase] = useState(detail);
  // Headers of a file are private, and a choice belongs to the revision that it began with.
  const draft = useDraft<{ readonly choice: Choice }>(
    `mapping/${place.importId}/${detail.mappingRevision}`,
    { choice: firstChoice(fields, detail, sample) },
    { isPrivate: true },
  );
  const { choice } = draft.values;
  const [changes, setChanges] = useState<readonly string[] | null>(null);
  const [isTried, setTried] = useState(false);
  useHeldBack(save.isPending && onClose !== null);
  const faults = choiceFaults(fields, choice);
  const revision = (base.mappingRevision ?? 0) + 1;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(faults).length > 0 || Object.keys(choice).length === 0 || save.isPending) return;
    try {
      await save.mutateAsync(mappingOf(fields, choice, revision));
      toast(`Mapping saved as revision ${revision}`);
      draft.discard();
      onClose?.();
    } catch (error) {
      if (!hasStatus(error, 409)) return;
      const now = await readAgain(queries, place);
      setChanges(changesBetween(base, now));
      setBase(now);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate class="mapping-form">
      {save.error !== null && <SaveProblem error={save.error} changes={changes} revision={revision} />}
      <Table
        label="Mapping form"
        class="blocks"
        columns={['Field', 'Type', 'Rule', 'Source column', 'First values']}
      >
        <tbody>
          {fieldsToMap(fields).map((field) => (
            <FieldRow
              key={field.key}
              field={field}
              headers={detail.headers ?? []}
              sample={sample}
              source={choice[field.key]}
              fault={isTried ? (faults[field.key] ?? null) : null}
              onChoose={(source) => draft.set({ choice: withSource(choice, field.key, source) })}
            />
          ))}
        </tbody>
      </Table>
      <div class="row">
        <button type="submit" class="btn primary" aria-disabled={save.isPending}>
          {save.isPending ? 'Saving' : `Save revision ${revision}`}
        </button>
        {onClose !== null && (
          <button
            type="button"
            class="btn quiet"
            aria-disabled={save.isPending}
            onClick={() => {
              if (save.isPending) return;
              draft.discard();
              onClose();
            }}
          >
            Keep revision {detail.mappingRevision}
          </button>
        )}
        <span class="hint">{consequence(detail)}</span>
      </div>
    </form>
  );
}

function withSource(choice: Choice, key: string, source: string): Choice {
  const { [key]: _, ...others } = choice;
  return source === '' ? others : { ...others, [key]: source };
}

function consequence({ status, validations }: ImportDetail): string {
  if (status === 'uploaded') return 'Validate afterwards.';
  return `The validation ends with it. ${validations.used} of ${validations.limit} validations are used.`;
}

interface SaveProblemProps {
  readonly error: Error;
  readonly changes: readonly string[] | null;
  readonly revision: number;
}

/** A 409 says what has changed, and that saving again makes the revision after it. The choices stay. */
function SaveProblem({ error, changes, revision }: SaveProblemProps) {
  if (changes === null || isInDoubt(error)) {
    return <ProblemPanel error={error} act={{ thing: 'the mapping', done: 'saved' }} />;
  }
  return (
    <ProblemPanel error={error} title="Not saved: the import has changed meanwhile">
      <ul class="change-list">
        {(changes.length === 0 ? [error.message] : changes).map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {`Your choice is kept below. Saving it makes revision ${revision}.`}
    </ProblemPanel>
  );
}

interface FieldRowProps {
  readonly field: ImportField;
  readonly headers: readonly string[];
  readonly sample: readonly (readonly string[] | null)[];
  readonly source: string | undefined;
  readonly fault: string | null;
  readonly onChoose: (source: string) => void;
}

function FieldRow({ field, headers, sample, source, fault, onChoose }: FieldRowProps) {
  const id = useId();
  const index = source === undefined ? -1 : headers.indexOf(source);
  const values = sample.flatMap((row) => row?.[index] || []).slice(0, SAMPLES_MAX);
  const notes = fieldNotes(field);
  const about = [...(notes.length > 0 ? [`${id}-notes`] : []), ...(fault === null ? [] : [`${id}-fault`])];
  return (
    <tr>
      <th scope="row">
        <label for={id}>
          <FieldName field={field} />
        </label>
        {notes.length > 0 && (
          <span class="sub notes" id={`${id}-notes`}>
            {notes.join('. ')}
          </span>
        )}
      </th>
      <td class={field.label === undefined && notes.length === 0 ? 'then' : 'below'}>{field.type}</td>
      <td class="then muted">{fieldRules(field).join(', ')}</td>
      <td class="choice">
        <select
          class="select small"
          id={id}
          value={source ?? ''}
          required={field.required}
          aria-invalid={fault !== null}
          aria-describedby={about.length === 0 ? undefined : about.join(' ')}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          <option value="">{field.required ? 'Choose a column' : 'Not imported'}</option>
          {headers.map((header, at) => (
            <option key={header} value={header}>
              {`${visibleStart(header, CELL_CHARACTERS_SHOWN)} (column ${count(at + 1)})`}
            </option>
          ))}
        </select>
        {fault !== null && (
          <span class="sub error" id={`${id}-fault`}>
            {fault}
          </span>
        )}
      </td>
      <td class="clip muted">
        {values.map((value) => visibleStart(value, CELL_CHARACTERS_SHOWN)).join(', ')}
      </td>
    </tr>
  );
}
