import { queryOptions, useQuery } from '@tanstack/preact-query';
import { mayDecide, useMembership } from '../../../api/session.ts';
import { FieldName } from '../../../parts/form/field-name.tsx';
import { fieldRules } from '../../../parts/form/field-rules.ts';
import { useAsked } from '../../../parts/form/use-asked.ts';
import { Icon } from '../../../parts/frame/icon.tsx';
import { ReadProblem } from '../../../parts/loading/problem-panel.tsx';
import { count } from '../../../parts/table/numbers.ts';
import { Table } from '../../../parts/table/table.tsx';
import { visibleStart, visibleText } from '../../../parts/table/visible-text.ts';
import { type ImportDetail, type ImportField, type Place, sourceQuery } from '../queries.ts';
import { CELL_CHARACTERS_SHOWN } from '../rows/columns.ts';
import { ValidateButton } from '../validation/validation.tsx';
import type { MappingEditorProps } from './mapping-editor.tsx';

interface MappingSectionProps {
  readonly place: Place;
  readonly detail: ImportDetail;
  readonly fields: readonly ImportField[];
}

/** The act of this section in the address. */
export const EDIT = 'map';

/** The states in which a mapping can be changed. */
const EDITABLE = ['uploaded', 'needs_correction', 'ready'];
/** The states in which an approval binds the mapping. */
const BOUND = ['approved', 'delivered'];

/** Which source column fills which field, with the first value and the errors of each. */
export function MappingSection({ place, detail, fields }: MappingSectionProps) {
  const { role } = useMembership();
  const [act, ask] = useAsked('do');
  const { headers, mapping, mappingRevision } = detail;
  const source = useQuery({ ...sourceQuery(place), enabled: mayDecide(role) && headers !== null });
  if (headers === null) return null;
  const isEditable = EDITABLE.includes(detail.status) && mayDecide(role);
  const isEdited = isEditable && (act === EDIT || mapping === null);
  const sample = source.data?.sample ?? [];
  const first = sample.find((row) => row !== null) ?? null;
  const used = mapping?.columns.length ?? 0;
  return (
    <section aria-labelledby="mapping">
      <div class="section-head">
        <h2 id="mapping" tabIndex={-1}>
          Mapping
        </h2>
        <p>
          {mappingRevision === null
            ? `None yet, ${count(headers.length)} source columns`
            : `Revision ${mappingRevision}, ${count(used)} of ${count(headers.length)} source columns used`}
        </p>
        {BOUND.includes(detail.status) && (
          <p class="actions">Approved with the rows. Upload the file again to map it otherwise.</p>
        )}
        {isEditable && !isEdited && (
          <div class="actions">
            <button type="button" class="link" onClick={() => ask(EDIT)}>
              Edit mapping
            </button>
            {detail.status === 'needs_correction' && <ValidateButton place={place} detail={detail} />}
          </div>
        )}
      </div>
      {isEdited ? (
        <Editor
          isRead={!source.isPending}
          place={place}
          detail={detail}
          fields={fields}
          sample={sample}
          onClose={mapping === null ? null : () => ask(null)}
        />
      ) : (
        <MappingTable detail={detail} fields={fields} headers={headers} first={first} />
      )}
    </section>
  );
}

/** The code of the editor, which most looks at an import do not need. */
const EDITOR = queryOptions({
  queryKey: ['code', 'mapping-editor'],
  queryFn: async () => (await import('./mapping-editor.tsx')).MappingEditor,
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});

/** The editor, once the first rows are read: its first choice depends on them. */
function Editor({ isRead, ...props }: MappingEditorProps & { readonly isRead: boolean }) {
  const code = useQuery(EDITOR);
  if (code.data === undefined)
    return code.error === null ? null : <ReadProblem query={code} title="The form could not be loaded" />;
  const MappingEditor = code.data;
  return isRead ? <MappingEditor {...props} /> : null;
}

interface MappingTableProps {
  readonly detail: ImportDetail;
  readonly fields: readonly ImportField[];
  readonly headers: readonly string[];
  readonly first: readonly string[] | null;
}

function MappingTable({ detail, fields, headers, first }: MappingTableProps) {
  return (
    <Table
      label="Mapping table"
      class="dense mapping blocks"
      columns={[
        'Source column',
        { hidden: 'goes to' },
        'Field',
        'Type',
        'Rule',
        'First value',
        ['Errors', 'n'],
      ]}
    >
      <tbody>
        {headers.map((header, index) => {
          const target = detail.mapping?.columns.find(({ source }) => source === header)?.target;
          const field = fields.find(({ key }) => key === target);
          return field === undefined ? (
            <tr class="ended" key={header}>
              <td class="clip" title={visibleText(header)}>
                {visibleStart(header, CELL_CHARACTERS_SHOWN)}
              </td>
              <td />
              <td class="then" colSpan={5}>
                Not imported
              </td>
            </tr>
          ) : (
            <MappedRow key={header} header={header} field={field} detail={detail} value={first?.[index]} />
          );
        })}
      </tbody>
    </Table>
  );
}

interface MappedRowProps {
  readonly header: string;
  readonly field: ImportField;
  readonly detail: ImportDetail;
  readonly value: string | undefined;
}

function MappedRow({ header, field, detail, value }: MappedRowProps) {
  const own = detail.errorCounts.filter(({ column }) => column === field.key);
  const errors = own.reduce((sum, each) => sum + each.count, 0);
  const shown = value === undefined ? '' : visibleStart(value, CELL_CHARACTERS_SHOWN);
  return (
    <tr>
      <td class="clip" title={visibleText(header)}>
        {visibleStart(header, CELL_CHARACTERS_SHOWN)}
      </td>
      <td>
        <Icon name="arrow" size={14} />
      </td>
      <td>
        <FieldName field={field} />
      </td>
      <td class="below">{field.type}</td>
      <td class="then rule muted">{fieldRules(field).join(', ')}</td>
      <td class="then first clip muted" title={shown}>
        {value === '' ? 'empty' : shown}
      </td>
      <td class="n beside">
        {errors > 0 ? <span class="count-bad">{count(errors)}</span> : <span class="muted">0</span>}
      </td>
    </tr>
  );
}
