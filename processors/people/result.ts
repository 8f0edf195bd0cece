import type { z } from 'zod';
import type { peopleCommands } from '../../schemas/people/commands.ts';
import type { PersonRoot } from '../../schemas/people/documents.ts';
import type { FoldResult } from '../runtime/fold.ts';

/** A person is small and bounded: it is its root, without rows. */
export type PersonRows = Record<never, never>;

export type PersonResult = FoldResult<PersonRoot, PersonRows>;

/** The input of one command type. */
export type PersonInput<Type extends keyof typeof peopleCommands> = z.infer<(typeof peopleCommands)[Type]>;
