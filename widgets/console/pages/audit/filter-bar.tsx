import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Member } from '../../api/members.ts';
import { personName } from '../../api/person-name.ts';
import { EXACT_TEXT, Field } from '../../parts/form/field.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { actionWords, KNOWN_ACTIONS } from './actions.ts';
import { type AuditFilters, isDay, isFiltered, isRequestId } from './filters.ts';
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
          'Everyone',
          members
            .map((member) => ({ value: member.userId, label: personName(member) }))
            .sort((one, other) => one.label.localeCompare(other.label, 'en')),
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
      <TypedField
        label="Request id"
        value={filters.request}
        placeholder="req_…"
        allowed="Expected req_ and 24 letters or digits"
        isWhole={isRequestId}
        onChange={(value) => onChange('request', value)}
      />
      <TypedField
        label="From (UTC)"
        value={filters.from}
        {...DAY}
        onChange={(value) => onChange('from', value)}
      />
      <TypedField label="To (UTC)" value={filters.to} {...DAY} onChange={(value) => onChange('to', value)} />
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

/** A day in the one format that the browser's language does not turn around. */
const DAY = { placeholder: 'YYYY-MM-DD', allowed: 'Expected a day such as 2026-11-22', isWhole: isDay };

interface TypedProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  /** The words below a text that is not whole. */
  readonly allowed: string;
  readonly isWhole: (text: string) => boolean;
  readonly onChange: (value: string) => void;
}

/** A filter that is typed. It filters once it is whole. */
function TypedField({ label, value, placeholder, allowed, isWhole, onChange }: TypedProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <Field
      label={label}
      value={text}
      onInput={(typed) => {
        const next = typed.trim();
        setText(next);
        if (next === '' || isWhole(next)) onChange(next);
      }}
      placeholder={placeholder}
      error={text === '' || isWhole(text) ? null : allowed}
      {...EXACT_TEXT}
    />
  );
}
