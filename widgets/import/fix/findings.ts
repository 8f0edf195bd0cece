/** Changes that a file may need. */
export type FixKind =
  | 'encoding'
  | 'nul'
  | 'separator'
  | 'lineEnds'
  | 'returns'
  | 'quotes'
  | 'titles'
  | 'spaces'
  | 'emptyColumns'
  | 'valueless'
  | 'gaps'
  | 'repeats';

/** Reasons for which the service refuses a file as a whole (infra/docs/reference/imports.md#files), of those that a change can remove. */
export type FixFault =
  | 'invalid_utf8'
  | 'nul_byte'
  | 'lone_cr'
  | 'stray_quote'
  | 'unclosed_quote'
  | 'empty_header'
  | 'duplicate_header';

export interface Finding {
  readonly kind: FixKind;
  /** The number of places. */
  readonly count: number;
  /** Names or texts of the file that the finding is about, the first ones only. */
  readonly examples: readonly string[];
  /** 1-based line of the first place, or null if it concerns the whole file. */
  readonly line: number | null;
  /** True if the file is refused, or read wrongly, without the change. */
  readonly isNeeded: boolean;
  /** The service's refusal without the change, or null if it accepts the file. */
  readonly fault: FixFault | null;
  /** True if the person agrees to the change, or has not been asked about a needed one. */
  readonly isAgreed: boolean;
}

/** The decisions of a person about findings. */
export type Choices = ReadonlyMap<FixKind, boolean>;

/** A refusal that stays. */
export interface Refusal {
  readonly code: FixFault;
  readonly line: number | null;
}

/** The number of examples that a finding keeps. */
const EXAMPLES_MAX = 3;

/** Collects findings and the decisions about them. */
export class Findings {
  readonly #choices: Choices;
  readonly all: Finding[] = [];
  refusal: Refusal | null = null;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  /** Adds a finding. Returns true if the person agrees to the change. */
  add(
    kind: FixKind,
    count: number,
    { examples = [], line = null, isNeeded = true, fault = null }: Partial<Omit<Finding, 'kind' | 'count'>>,
  ): boolean {
    const isAgreed = this.#choices.get(kind) ?? isNeeded;
    const first = examples.slice(0, EXAMPLES_MAX);
    this.all.push({ kind, count, examples: first, line, isNeeded, fault, isAgreed });
    if (!isAgreed && fault !== null) this.refusal ??= { code: fault, line };
    return isAgreed;
  }
}
