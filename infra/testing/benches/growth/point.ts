/** A size at which the cost of one operation is measured. */
export interface Point {
  /** For example `events`: points of one sort are compared with the smallest of them. */
  readonly sort: string;
  readonly size: number;
  /** Makes the size. Called once, before the first measurement. */
  fill(): Promise<void>;
  /** Returns the CPU time of one operation at this size, in microseconds. */
  measure(): Promise<number>;
}
