/** A check. Its fields are those of `POST /v1/check`. */
export interface Check {
  /** A group of limits, 1 to 128 characters. */
  readonly namespace: string;
  /** The user, address or job that is limited, 1 to 256 characters. */
  readonly identifier: string;
  /** Units that a window holds, a whole number from 1. */
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly window: number;
  /** Units to consume, 1 by default; 0 peeks without consuming. */
  readonly cost?: number;
}
