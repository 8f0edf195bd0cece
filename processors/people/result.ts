import type { InputOf } from '../../schemas/base/command.ts';
import type { peopleCommands } from '../../schemas/people/commands.ts';
import type { PersonRoot } from '../../schemas/people/documents.ts';
import type { PlainFoldResult } from '../runtime/unconverted.ts';

/** A person is small and bounded: it is its root, without rows. */
export type PersonRows = Record<never, never>;

export type PersonResult = PlainFoldResult<PersonRoot, PersonRows>;

/** The input of one command type. */
export type PersonInput<Type extends keyof typeof peopleCommands> = InputOf<typeof peopleCommands, Type>;
