/** Something that happens to a running service, and what its users may expect of it. */
export interface Disturbance {
  readonly name: string;
  readonly engine: 'embedded' | 'cluster' | 'both';
  /** The test that injects it into the real thing, and proves the three promises below. */
  readonly test: InjectingTest;
  /** The effect meanwhile: statuses and error codes that a user sees, or messages that the operator reads. */
  readonly seen: string;
  readonly recovers:
    | 'by itself'
    | 'with the next start'
    | 'once put right, by itself'
    | 'once put right, with a start';
}

export interface InjectingTest {
  /** The project of the tests' configuration that runs it. */
  readonly project: 'everywhere' | 'engines' | 'journeys';
  /** Relative to the root of the repository. */
  readonly file: string;
  /** The title as the file writes it, with its placeholders. */
  readonly title: string;
}

/** The expression that the full name of a test of this title meets, whatever its placeholders stand for. */
export function titlePattern(title: string): string {
  return title
    .split(/%[sidfjo]/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.+');
}
