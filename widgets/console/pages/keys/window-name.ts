import type { Schemas } from '../../api/interface.ts';

export type WindowName = Schemas['WindowName'];

const UNITS_MS = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export type Unit = keyof typeof UNITS_MS;

export const UNITS: readonly { readonly value: Unit; readonly label: string }[] = [
  { value: 'ms', label: 'milliseconds' },
  { value: 's', label: 'seconds' },
  { value: 'min', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
];

/** The name of a window as a person types it. */
export interface Draft {
  readonly namespace: string;
  readonly identifier: string;
  readonly length: string;
  readonly unit: Unit;
}

export const NO_DRAFT: Draft = { namespace: '', identifier: '', length: '1', unit: 'min' };

/** The window that a draft names. */
export function windowOf({ namespace, identifier, length, unit }: Draft): WindowName {
  return { namespace, identifier, window: Number(length) * UNITS_MS[unit] };
}

/** The draft that names a window, in the longest unit without a fraction. */
export function draftOf({ namespace, identifier, window }: WindowName): Draft {
  const { value: unit } = UNITS.findLast(({ value }) => window % UNITS_MS[value] === 0) ?? { value: 'ms' };
  return { namespace, identifier, length: String(window / UNITS_MS[unit]), unit };
}

/** `90 s`, `1 min`, `30 d`. */
export function lengthOf(window: WindowName): string {
  const { length, unit } = draftOf(window);
  return `${length} ${unit}`;
}
