import type { Client } from './client.ts';
import type { Example } from './example-process.ts';
import type { Screen } from './screen.ts';

/** The processes and clients of the story. */
export interface Stage {
  readonly client: Client;
  readonly screen: Screen;
  /** The one-time link with which the first owner opens the console. */
  readonly setUpLink: string;
  /** The application that the agent builds. */
  readonly example: Example;
}
