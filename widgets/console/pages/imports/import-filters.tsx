import { useSearchParams } from 'wouter-preact';
import type { Schemas } from '../../api/interface.ts';
import { SelectField } from '../../parts/form/select.tsx';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { count } from '../../parts/table/numbers.ts';
import { visibleText } from '../../parts/table/visible-text.ts';
import { IMPORT_STATES, LISTED_STATES } from './import-state.ts';
import type { ImportState, ListedImport } from './queries.ts';

interface ImportFiltersProps {
  readonly workspaceId: string;
  readonly schemas: readonly Schemas['ImportSchemaSummary'][];
  /** Every import of the chosen schema; undefined until all of them are read: states have no counts before. */
  readonly all: readonly ListedImport[] | undefined;
}

/** The states as addresses of the list, and the schema where there are several. */
export function ImportFilters({ workspaceId, schemas, all }: ImportFiltersProps) {
  const [search, setSearch] = useSearchParams();
  const chosen = search.get('state');
  const address = (state: string) => {
    const next = withParameter(new URLSearchParams(search), 'state', state);
    return `/agent-workspaces/${workspaceId}/imports${next.size === 0 ? '' : `?${next}`}`;
  };
  const of = (state: ImportState) => all?.filter(({ status }) => status === state).length;
  const number = (value: number | undefined) => (value === undefined ? '' : ` ${count(value)}`);
  return (
    <div class="toolbar selects">
      {/* biome-ignore lint/a11y/useSemanticElements: these are links to lists, no fields of a form. */}
      <div class="segments" role="group" aria-label="State">
        <PageLink to={address('')} isCurrent={chosen === null}>
          All{number(all?.length)}
        </PageLink>
        {LISTED_STATES.filter((state) => of(state) !== 0 || state === chosen).map((state) => (
          <PageLink key={state} to={address(state)} isCurrent={chosen === state}>
            {IMPORT_STATES[state].word}
            {number(of(state))}
          </PageLink>
        ))}
      </div>
      {schemas.length > 1 && (
        <SelectField
          label="Schema"
          value={search.get('schema') ?? ''}
          options={[
            { value: '', label: 'Every schema' },
            ...schemas.map(({ schemaId, name }) => ({ value: schemaId, label: visibleText(name) })),
          ]}
          onChange={(schemaId) => setSearch((now) => withParameter(now, 'schema', schemaId))}
        />
      )}
    </div>
  );
}

/** Returns the parameters with one of them set, or without it if its value is empty. */
function withParameter(parameters: URLSearchParams, name: string, value: string): URLSearchParams {
  if (value === '') parameters.delete(name);
  else parameters.set(name, value);
  return parameters;
}
