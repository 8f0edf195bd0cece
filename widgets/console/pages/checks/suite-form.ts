import type { Schemas } from '../../api/interface.ts';
import type { Suite } from './queries.ts';

type Step = Schemas['CheckFlow']['steps'][number];
export type Action = Step['action'];

/** A step as a person types it: `value` is a path, a text or a status. */
export interface TypedStep {
  readonly action: Action;
  readonly value: string;
  /** The level of a heading in a copied suite. */
  readonly level?: number;
}

export interface TypedSuite {
  readonly name: string;
  /** Empty: the first proved origin. */
  readonly originId: string;
  /** Empty: the default, a desktop browser. */
  readonly accessProfileId: string;
  readonly steps: readonly TypedStep[];
  /** True if the suite runs as soon as it is created. */
  readonly runs: boolean;
}

/** Steps of one flow. */
export const STEPS_MAX = 20;

/** The time for all steps. Every plan allows it. */
const TIMEOUT_MS = 30_000;

export const NO_SUITE: TypedSuite = {
  name: '',
  originId: '',
  accessProfileId: '',
  steps: [
    { action: 'goto', value: '/' },
    { action: 'expect_heading', value: '' },
  ],
  runs: true,
};

/** A suite as a form shows it for a copy; null if it has several flows, which a form does not show. */
export function copyOf({ name, originId, accessProfileId, flows }: Suite): TypedSuite | null {
  const [flow, ...others] = flows;
  if (flow === undefined || others.length > 0) return null;
  return {
    ...NO_SUITE,
    name,
    originId,
    accessProfileId: accessProfileId ?? '',
    steps: flow.steps.map(typed),
  };
}

function typed(step: Step): TypedStep {
  switch (step.action) {
    case 'goto':
      return { action: step.action, value: pathIn(step.url, new URL(step.url).origin) };
    case 'expect_status':
      return { action: step.action, value: String(step.status) };
    case 'expect_heading':
      return {
        action: step.action,
        value: step.text,
        ...(step.level !== undefined && { level: step.level }),
      };
    default:
      return { action: step.action, value: step.text };
  }
}

/** The path of an address that was pasted whole; any other text as it is. */
export function pathIn(text: string, origin: string): string {
  const pasted = text.trim();
  return pasted.startsWith(`${origin}/`) ? pasted.slice(origin.length) : text;
}

/** The body of the request that creates a suite on an origin. */
export function suiteOf(
  { name, accessProfileId, steps }: TypedSuite,
  { originId, origin }: { readonly originId: string; readonly origin: string },
): Omit<Schemas['CreateCheckSuiteRequest'], 'schemaVersion' | 'idempotencyKey'> {
  const flow = { name: name.trim(), steps: steps.map((step) => stepOf(step, origin)), timeoutMs: TIMEOUT_MS };
  return {
    originId,
    name: name.trim(),
    flows: [flow],
    ...(accessProfileId !== '' && { accessProfileId }),
  };
}

function stepOf({ action, value, level }: TypedStep, origin: string): Step {
  const text = value.trim();
  switch (action) {
    case 'goto':
      return { action, url: origin + text };
    case 'expect_status':
      return { action, status: Number(text) };
    case 'expect_heading':
      return { action, text, ...(level !== undefined && { level }) };
    default:
      return { action, text };
  }
}
