import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Revisions of the protocol: clients from before 2026 shake hands, later ones send each request alone. */
export const ERAS = ['legacy', 'auto'] as const;

/** The official client, connected, and everything that the service has answered to it. */
export interface ConnectedClient {
  readonly client: Client;
  /** Headers and body of each answer, as text. */
  readonly answers: string[];
  /** Calls a tool and returns its result. */
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
  /** Calls a tool that succeeds, and returns its structured content. */
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into answers whose shape is what they check.
  succeed(name: string, given?: Readonly<Record<string, unknown>>): Promise<any>;
  /** Calls a tool that refuses, and returns the error that it describes. */
  refused(name: string, given?: Readonly<Record<string, unknown>>): Promise<DescribedError>;
}

/** The text of a tool's error. */
export interface DescribedError {
  readonly error: { readonly code: string; readonly message: string; readonly request_id: string };
  readonly retriable: boolean;
  readonly retryAfterSeconds?: number;
  readonly next: string;
}

/** Connects the official client to the service at an address. */
export async function connectMcp(
  base: string,
  credential: string,
  mode: (typeof ERAS)[number] = 'auto',
): Promise<ConnectedClient> {
  const answers: string[] = [];
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${credential}` } },
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      answers.push(JSON.stringify([...response.headers]) + (await response.clone().text()));
      return response;
    },
  });
  await client.connect(transport);
  const call = async (name: string, given: Readonly<Record<string, unknown>> = {}) =>
    (await client.callTool({ name, arguments: given })) as CallToolResult;
  return {
    client,
    answers,
    call,
    async succeed(name, given) {
      const result = await call(name, given);
      if (result.isError === true) throw new Error(`calling ${name}: ${textOf(result)}`);
      if (textOf(result) !== JSON.stringify(result.structuredContent)) {
        throw new Error(`calling ${name}: its text is not its structured content`);
      }
      return result.structuredContent;
    },
    async refused(name, given) {
      const result = await call(name, given);
      if (result.isError !== true) throw new Error(`calling ${name}: it was not refused`);
      return JSON.parse(textOf(result)) as DescribedError;
    },
  };
}

function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}
