import type { Schemas } from '../../api/interface.ts';
import { count, counted } from '../../parts/table/numbers.ts';
import type { Tone } from '../../parts/table/state.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';

export type NextAction = Schemas['NextAction'];

/** A next action in words. */
export interface ActionWords {
  /** The few words of a row. */
  readonly short: string;
  /** The heading of the panel. */
  readonly title: string;
  readonly about: string;
  /** The words of the link to the page where it is done; null if it is done on the overview. */
  readonly link: string | null;
  readonly badge: { readonly tone: Tone; readonly word: string };
}

/** Says what waits for a person. */
export function actionWords(next: NextAction): ActionWords {
  const schema = visibleText(next.schemaName ?? 'a schema');
  switch (next.kind) {
    case 'approve_import':
      return {
        short: `Approve ${counted(next.count, 'row')}`,
        title: `Approve ${counted(next.count, 'row')} of ${schema}`,
        about:
          'Every row is valid. Your backend can pull the batches only after you approve them; until then nothing leaves this workspace.',
        link: 'Review import',
        badge: { tone: 'ok', word: 'Ready' },
      };
    case 'create_capability':
      return {
        short: 'Create a capability',
        title: 'Create a capability so that your backend can pull',
        about: `${counted(next.count, 'row')} of ${schema} ${next.count === 1 ? 'is' : 'are'} approved. Your backend pulls them with a capability, and ${schema} has none.`,
        link: 'Create capability',
        badge: { tone: 'warn', word: 'Not delivered' },
      };
    case 'correct_import':
      return {
        short: `Correct ${counted(next.count, 'row')}`,
        title: `Correct ${counted(next.count, 'row')} of ${schema}`,
        about: 'Rows with errors stop the whole file. Look at the errors, then upload a corrected file.',
        link: 'Review import',
        badge: { tone: 'warn', word: 'Needs correction' },
      };
    case 'claim':
      return {
        short: `Claim, ${counted(next.count, 'verified result')}`,
        title: 'Claim this workspace',
        about: `${counted(next.count, 'verified result')} so far. Claiming removes the end date and applies the limits of Free. IDs and credentials don’t change.`,
        link: null,
        badge: { tone: 'info', word: 'Preview' },
      };
    case 'resume':
      return {
        short: 'Resume or disconnect',
        title: 'Resume this workspace',
        about: 'While paused, new events, sessions and uploads get 403. Nothing was lost.',
        link: null,
        badge: { tone: 'idle', word: 'Paused' },
      };
  }
}

/** True if a workspace waits for an owner or admin. A pause was decided. */
export function isWaiting({ next }: { readonly next: Pick<NextAction, 'kind'> | null }): boolean {
  return next !== null && next.kind !== 'resume';
}

/** The address at which a person does it, below that of the workspace; empty if it is done on the overview. */
export function actionPath({ kind, importId, schemaId }: NextAction): string {
  if (kind === 'create_capability' && schemaId !== null) return capabilityPath(schemaId, importId);
  return importId === null ? '' : `/imports/${importId}`;
}

/** The address of the form that creates a capability, below that of the workspace. `importId`: the import that waits for it. */
export function capabilityPath(schemaId: string, importId: string | null): string {
  const form = `/schemas/${schemaId}?do=create-capability`;
  return importId === null ? form : `${form}&import=${importId}`;
}

const PRODUCTS: Readonly<Record<string, string>> = { svcactivate: 'Checklist', svcimport: 'Import' };

/** Opt-ins in words: `Checklist, import`. */
export function optIns(products: readonly string[]): string {
  const words = products.map((product) => PRODUCTS[product] ?? product);
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(', ') || 'none';
}

/** `4, of which 3 of 10 claimed`: the line below the title of the list. */
export function listSummary(plans: readonly string[], isWhole: boolean): string {
  const claimed = plans.filter((plan) => plan !== 'preview').length;
  return `${count(plans.length)}${isWhole ? '' : ' or more'}, of which ${count(claimed)} claimed`;
}
