import { EMPTY_ROOT, type RuntimeRoot, runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import type { Root } from '../../../topics/ports/store.ts';
import type { AnyFold } from '../fold/fold.ts';
import { loadDocument, salvage, UnreadableDocumentError } from './unreadable.ts';
import type { UnreadableState } from './working-set.ts';

/** The state of a root that cannot be read; null if it can be read by now. */
export function unreadableState(fold: AnyFold, root: Root): UnreadableState | null {
  try {
    rootOf(fold, root);
    return null;
  } catch (error) {
    if (!(error instanceof UnreadableDocumentError)) throw error;
    return { error, known: salvage(fold.rootSchema, root.document['state']) };
  }
}

/** The root as its schema reads it: members that an older release did not write have their defaults. */
export function rootOf({ rootSchema }: AnyFold, { document }: Root): RuntimeRoot {
  const root = loadDocument('the root', runtimeRootSchema, document);
  return {
    ...root,
    state: root.state === null ? null : loadDocument("the root's state", rootSchema, root.state),
  };
}

/**
 * A root whose state cannot be read, without it. A number of commands that cannot be read is replaced by a larger one.
 *
 * @param sequence larger than any number of commands
 */
export function withoutState(root: Root, sequence: number): Root {
  const known = { ...EMPTY_ROOT, sequence, ...salvage(runtimeRootSchema, root.document) };
  return { ...root, document: { ...known, state: null } };
}
