import type { FileFaultCode } from '../file-fault-texts.ts';
import type { CHANGE_TEXTS } from './change-texts.ts';
import type { Encoding } from './decode.ts';

/** Changes that a file may need. */
export type FixKind = keyof typeof CHANGE_TEXTS;

/** Reasons for which the service refuses a file as a whole (infra/docs/reference/imports.md#files), of those that are seen here. */
export type ServiceFault = Exclude<
  FileFaultCode,
  'no_header' | 'header_too_large' | 'artifact_limit' | 'internal'
>;

/** Reasons for a refusal: those of the service, text in which no table is looked for, and a finding without a decision. */
export type FixFault = ServiceFault | 'web_page' | 'json' | 'other_format' | 'undecided';

/**
 * Changes of the form of a file, which lose nothing and can be undone from the result. They are made without a decision, unless
 * another reading of the file is as likely. All others are only found.
 */
const FORM: readonly FixKind[] = [
  'encoding',
  'nul',
  'wrapped',
  'separator',
  'lineEnds',
  'returns',
  'quotes',
  'emptyColumns',
  'emptyRows',
  'extras',
];

export interface Finding {
  readonly kind: FixKind;
  /** The number of places. */
  readonly count: number;
  /** The number that is allowed, or null. */
  readonly limit: number | null;
  /** Names or texts of the file that the finding is about, the first ones only. */
  readonly examples: readonly string[];
  /** 1-based line of the first occurrence, or null if it concerns the whole file. */
  readonly line: number | null;
  /** The rows or columns of it about which a person decides one by one, the first ones only. */
  readonly parts: readonly Part[];
  /** True if the file is refused, or read wrongly, without a change. */
  readonly isNeeded: boolean;
  /** The service's refusal without the change, or null if it accepts the file. */
  readonly fault: ServiceFault | null;
  /** True if the change is made: by a decision, or in the reading that is shown before one. */
  readonly isAgreed: boolean;
  /** True if a person decides about the change: it is not one of the form, or another reading is as likely. */
  readonly isAsked: boolean;
  /** True if that decision is missing. Until then, the file is refused. */
  readonly isOpen: boolean;
}

/** A row or a column that can be left out, or one of several tables. */
export interface Part {
  /** The line of a row or the number of a table, from 1; the place of a column, from 0. */
  readonly at: number;
  readonly text: string;
  /** The first and the last line of one of several tables. */
  readonly lines?: readonly [first: number, last: number];
  /** True if it is left out; of tables, for the one that is read. */
  readonly isAgreed: boolean;
}

/** The decisions of a person. */
export interface Choices {
  /** The decisions about changes. */
  readonly agreed: ReadonlyMap<FixKind, boolean>;
  /** The encoding of the file. */
  readonly encoding?: Encoding;
  /** The first line of the header, 1-based, and the number of rows that it takes; 0 if it is the first row of a table without one. */
  readonly header?: HeaderChoice;
  /** The separator of the file. */
  readonly separator?: string;
  /** Single lines below the header: true leaves one out. Others follow the decision about the change as a whole. */
  readonly leftOut?: ReadonlyMap<number, boolean>;
  /** Single columns, by their places from 0, in the same way. */
  readonly columns?: ReadonlyMap<number, boolean>;
  /** The table of a file of several, from 1. */
  readonly table?: number;
  /** The part of the rows, from 1, of as many as are allowed. */
  readonly part?: number;
}

export interface HeaderChoice {
  readonly line: number;
  readonly lines: number;
}

export const NO_CHOICES: Choices = { agreed: new Map() };

/** A refusal that stays. */
export interface Refusal {
  readonly code: FixFault;
  readonly line: number | null;
  /** The number that was found, and the one that is allowed, of a file that is read no further. */
  readonly counts?: readonly [number, number];
}

/** The number of examples that a finding keeps. */
export const EXAMPLES_MAX = 3;

interface Details extends Omit<Finding, 'kind' | 'count' | 'isAsked' | 'isOpen'> {
  /** Of a change of the form: false if another reading is as likely. */
  readonly isSure: boolean;
  /** True if the change is made in the reading that is shown before a decision. */
  readonly isShown: boolean;
  /** True if another choice is the decision. */
  readonly isDecided: boolean;
}

/** Collects findings and the decisions about them. */
export class Findings {
  readonly choices: Choices;
  readonly all: Finding[] = [];
  refusal: Refusal | null = null;

  constructor(choices: Choices) {
    this.choices = choices;
  }

  /** The refusal of a file with a finding that no decision was made about, or null. */
  get undecided(): Refusal | null {
    const open = this.all.find(({ isOpen }) => isOpen);
    return open === undefined ? null : { code: 'undecided', line: open.line };
  }

  /** True if the person agrees to a change, or to a part of one that is listed. */
  get isChanged(): boolean {
    return this.all.some(({ isAgreed, parts }) => isAgreed || parts.some((part) => part.isAgreed));
  }

  /** Adds a finding. Returns true if the person agrees to the change: by the decision about it, unless parts of it decide. */
  add(kind: FixKind, count: number, details: Partial<Details>): boolean {
    const { examples = [], line = null, parts = [], limit = null, fault = null } = details;
    const { isNeeded = true, isSure = true, isShown = isNeeded && isSure } = details;
    const decision = this.choices.agreed.get(kind);
    const { isAgreed = decision ?? isShown, isDecided = decision !== undefined } = details;
    const isAsked = isNeeded && !(isSure && FORM.includes(kind));
    const isOpen = isAsked && !isDecided;
    const first = examples.slice(0, EXAMPLES_MAX);
    this.all.push({
      kind,
      count,
      limit,
      examples: first,
      line,
      parts,
      isNeeded,
      fault,
      isAgreed,
      isAsked,
      isOpen,
    });
    if (!isAgreed && fault !== null) this.refusal ??= { code: fault, line };
    return isAgreed;
  }
}
