import { useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { count } from '../../parts/table/numbers.ts';
import { IMPORT_STATES } from './import-state.ts';
import { type ImportDetail, importKey, importQuery, type Place } from './queries.ts';

const PATH = '/v1/console/workspaces/{workspaceId}/imports/{importId}';

type Mapping = NonNullable<ImportDetail['mapping']>;

/** A change of an import. Whatever the answer is, the import is read again: the answer may say that it has changed. */
function useImportChange<Input>(
  place: Place,
  send: (input: Input, idempotencyKey: string) => Promise<Schemas['ImportStatus']>,
) {
  const queries = useQueryClient();
  return useChange({
    send,
    afterLoss: 'repeat',
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['workspace', place.workspaceId, 'overview'] });
      void queries.invalidateQueries({ queryKey: ['workspaces'] });
      return queries.invalidateQueries({ queryKey: [...importKey(place), 'detail'] });
    },
  });
}

export function useApprove(place: Place) {
  return useImportChange(place, (validationDigest: string) =>
    answer(api.POST(`${PATH}/approve`, { params: { path: { ...place } }, body: { validationDigest } })),
  );
}

export function useValidate(place: Place) {
  return useImportChange<void>(place, (_nothing, idempotencyKey) =>
    answer(
      api.POST(`${PATH}/validate`, {
        params: { path: { ...place } },
        body: { version: 'svcimport.validate.v1', idempotencyKey },
      }),
    ),
  );
}

export function useMap(place: Place) {
  return useImportChange(place, (mapping: Mapping) =>
    answer(api.POST(`${PATH}/mapping`, { params: { path: { ...place } }, body: mapping })),
  );
}

export function useCancel(place: Place) {
  return useImportChange<void>(place, (_nothing, key) =>
    answer(
      api.POST(`${PATH}/cancel`, {
        params: { path: { ...place }, header: { 'Idempotency-Key': key } },
        body: {},
      }),
    ),
  );
}

/** Erases. The answer is the last that is known of the import: no later read would be answered. */
export function useErase(place: Place) {
  const queries = useQueryClient();
  return useChange({
    send: () =>
      answer(
        api.POST(`${PATH}/erase`, { params: { path: { ...place } }, body: { confirm: place.importId } }),
      ),
    afterLoss: 'gone',
    onSuccess: () => queries.removeQueries({ queryKey: importKey(place) }),
  });
}

/** Reads the import as it is now. */
export async function readAgain(
  queries: ReturnType<typeof useQueryClient>,
  place: Place,
): Promise<ImportDetail> {
  return await queries.fetchQuery({ ...importQuery(place), staleTime: 0 });
}

/** The differences between two looks at an import, as sentences; empty if none matters to a decision. */
export function changesBetween(before: ImportDetail, now: ImportDetail): string[] {
  const changes: string[] = [];
  if (before.status !== now.status) {
    const [from, to] = [IMPORT_STATES[before.status].word, IMPORT_STATES[now.status].word];
    changes.push(`Its state was “${from}” and is “${to}”.`);
  }
  if (before.mappingRevision !== now.mappingRevision) {
    const from = before.mappingRevision === null ? 'none' : `revision ${before.mappingRevision}`;
    changes.push(`Its mapping was ${from} and is revision ${now.mappingRevision ?? 0}.`);
    changes.push(...mappingChanges(before.mapping, now.mapping));
  }
  if (before.validations.used !== now.validations.used) {
    const [from, to] = [before.validations.used, now.validations.used];
    changes.push(`It was validated again: ${from} validations before, ${to} now.`);
  }
  if (before.rows.valid !== now.rows.valid || before.rows.invalid !== now.rows.invalid) {
    changes.push(`It has ${count(now.rows.valid)} valid and ${count(now.rows.invalid)} invalid rows now.`);
  }
  if (before.validationDigest !== now.validationDigest) changes.push('Its digest is another one.');
  return changes;
}

/** Fields whose source column is another one, as sentences. Names of columns are not in them: they are shown beside. */
function mappingChanges(before: Mapping | null, now: Mapping | null): string[] {
  const sources = (mapping: Mapping | null) =>
    new Map(mapping?.columns.map(({ source, target }) => [target, source]));
  const [old, current] = [sources(before), sources(now)];
  const targets = new Set([...old.keys(), ...current.keys()]);
  const changed = [...targets].filter((target) => old.get(target) !== current.get(target));
  return changed.length === 0 ? [] : [`Another source for ${changed.join(', ')}.`];
}
