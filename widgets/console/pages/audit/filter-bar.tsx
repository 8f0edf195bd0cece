import { useQuery } from '@tanstack/preact-query';
import { useId } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Member } from '../../api/members.ts';
import { SelectField } from '../../parts/select.tsx';
import { actionWords, KNOWN_ACTIONS } from './actions.ts';
import { type AuditFilters, isFiltered } from './filters.ts';
import { auditWorkspacesQuery } from './queries.ts';

interface FilterBarProps {
  readonly filters: AuditFilters;
  readonly members: readonly Member[];
  readonly onChange: (name: keyof AuditFilters, value: string) => void;
}

/** The filters: person, action, workspace and time. Each choice is in the address at once. */
export function FilterBar({ filters, members, onChange }: FilterBarProps) {
  const [, go] = useLocation();
  const workspaces = useQuery(auditWorkspacesQuery).data?.workspaces ?? [];
  return (
    <form class="audit-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Who"
        value={filters.who}
        options={choices(
          'Everybody',
          members.map(({ userId, email }) => ({ value: userId, label: email })),
          filters.who,
        )}
        onChange={(value) => onChange('who', value)}
      />
      <SelectField
        label="What"
        value={filters.what}
        options={choices(
          'Every action',
          KNOWN_ACTIONS.map((action) => ({ value: action, label: actionWords(action) })),
          filters.what,
        )}
        onChange={(value) => onChange('what', value)}
      />
      <SelectField
        label="Where"
        value={filters.where}
        options={choices(
          'Everywhere',
          workspaces.map(({ workspaceId, name }) => ({ value: workspaceId, label: name })),
          filters.where,
        )}
        onChange={(value) => onChange('where', value)}
      />
      <Day label="From" value={filters.from} onChange={(value) => onChange('from', value)} />
      <Day label="To" value={filters.to} onChange={(value) => onChange('to', value)} />
      {isFiltered(filters) && (
        <button type="button" class="btn quiet" onClick={() => go('/audit')}>
          Clear filters
        </button>
      )}
    </form>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The choices behind "all", with the one of the address even where the list does not have it. */
function choices(all: string, known: readonly Choice[], chosen: string): readonly Choice[] {
  const isKnown = chosen === '' || known.some(({ value }) => value === chosen);
  return [{ value: '', label: all }, ...(isKnown ? [] : [{ value: chosen, label: chosen }]), ...known];
}

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Day({ label, value, onChange }: DayProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {label} <span class="hint">UTC</span>
      </label>
      <input
        class="input"
        id={id}
        type="date"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
