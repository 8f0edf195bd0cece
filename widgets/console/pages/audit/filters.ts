import { DAY_MS } from '../../parts/table/time.tsx';

/** The filters of the audit log, as the address holds them. Days are in UTC; `to` is the last day that is shown. */
export interface AuditFilters {
  readonly who: string;
  readonly what: string;
  readonly where: string;
  readonly from: string;
  readonly to: string;
  /** A request id, as error answers have it. */
  readonly request: string;
}

const NAMES = ['who', 'what', 'where', 'from', 'to', 'request'] as const;
const REQUEST_ID = /^req_[0-9A-Za-z]{24}$/;

/** Reads the filters from an address. An empty text filters nothing. */
export function filtersOf(params: URLSearchParams): AuditFilters {
  const [who, what, where, from, to, request] = NAMES.map((name) => params.get(name) ?? '');
  return {
    who: who ?? '',
    what: what ?? '',
    where: where ?? '',
    from: day(from),
    to: day(to),
    request: isRequestId(request ?? '') ? (request ?? '') : '',
  };
}

/** A day that an address names, or an empty text for what is none, such as a typing mistake. */
function day(text = ''): string {
  return isDay(text) ? text : '';
}

/** True for a day of the calendar, such as `2026-11-22`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** True for a whole request id. */
export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text);
}

/** The query of the service. It leaves out the moment `to`, so that the day after the last one is sent. */
export function auditQueryOf({ who, what, where, from, to, request }: AuditFilters) {
  return {
    ...(who === '' ? {} : { actor: who }),
    ...(what === '' ? {} : { action: what }),
    ...(where === '' ? {} : { workspaceId: where }),
    ...(request === '' ? {} : { requestId: request }),
    ...(from === '' ? {} : { from: `${from}T00:00:00.000Z` }),
    ...(to === '' ? {} : { to: new Date(Date.parse(to) + DAY_MS).toISOString() }),
  };
}

/** The address with one filter changed; the row that is open closes. */
export function withFilter(
  params: URLSearchParams,
  name: keyof AuditFilters,
  value: string,
): URLSearchParams {
  const next = new URLSearchParams(params);
  if (value === '') next.delete(name);
  else next.set(name, value);
  next.delete('entry');
  return next;
}

/** True if something is filtered. */
export function isFiltered(filters: AuditFilters): boolean {
  return NAMES.some((name) => filters[name] !== '');
}
