import type { Schemas } from '../../api/interface.ts';

const HOUR_MS = 3_600_000;

/** A lane is drawn in a box of 240 by 40: 10 for an hour, and 28 for the most in an hour. */
const HOUR_WIDTH = 10;
const BAR_INSET = 1.5;
const LANE_HEIGHT = 40;
const BAR_HEIGHT_MAX = 28;

/** An hour with anything in it shows, whatever the most is. */
const BAR_HEIGHT_MIN = 0.9;

const LABELS: Readonly<Record<string, string>> = {
  svcactivate: 'Checklist events',
  svcfeedback: 'Feedback',
  svcimport: 'Imports',
  svccheck: 'Check runs',
};

/** The hours of one product. */
export interface Lane {
  readonly label: string;
  readonly hours: readonly number[];
}

/** The lanes of an activity, in the order of the products. */
export function lanesOf({ products }: Schemas['WorkspaceActivity']): Lane[] {
  return products.map(({ product, hours }) => ({ label: LABELS[product] ?? product, hours }));
}

/** The most in an hour. */
export function peakOf({ hours }: Lane): number {
  return Math.max(0, ...hours);
}

export function totalOf({ hours }: Lane): number {
  return hours.reduce((sum, each) => sum + each, 0);
}

/** The bars of a lane, each from the base line up. Hours without anything have none. */
export function bars(lane: Lane): { readonly x: number; readonly y: number; readonly height: number }[] {
  const peak = peakOf(lane);
  return lane.hours.flatMap((each, index) => {
    if (each === 0) return [];
    const height = Math.max(BAR_HEIGHT_MIN, (each / peak) * BAR_HEIGHT_MAX);
    return [{ x: index * HOUR_WIDTH + BAR_INSET, y: LANE_HEIGHT - height, height }];
  });
}

/** `15:00` for each of 24 hours, the first one from `from`. */
export function hourLabels(from: string): string[] {
  const start = Date.parse(from);
  return Array.from({ length: 24 }, (_, hour) =>
    new Date(start + hour * HOUR_MS).toISOString().slice(11, 16),
  );
}
