import { isRetriable } from '../base/error-codes.ts';
import type { Refusal } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { parseInput } from '../base/validation.ts';
import { nextStep } from './next-steps.ts';
import { type CallOperation, describeTool, type Tool } from './tool.ts';
import { TOOLS } from './tools.ts';

/** An error of an operation with the request that met it. */
export interface OperationFailure {
  readonly refusal: Refusal;
  /** `X-Request-Id` of that request; null if none was answered. */
  readonly requestId: string | null;
}

/** The way of an adapter to operations. */
export interface ToolCaller {
  readonly call: CallOperation;
  /**
   * The refusal that an error stands for: a rejection of {@link ToolCaller.call}, or a ServiceError about the arguments. Null
   * for an unexpected error.
   */
  failureOf(error: unknown): OperationFailure | null;
}

/** The answer to `tools/call`. The text is the structured content as JSON, for clients that read only text. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: JsonObject;
  isError?: true;
  [extension: string]: unknown;
}

/** The entries of `tools/list`: always the same, in the same order. */
export const TOOL_LIST = TOOLS.map(describeTool);

/** Returns a tool by its name, or null. */
export function findTool(name: string): Tool | null {
  return TOOLS.find((tool) => tool.name === name) ?? null;
}

/**
 * Calls a tool. A refusal becomes a result with `isError`, so that the model reads what was refused and what to do next.
 *
 * @throws whatever `caller` does not know as a refusal
 */
export async function callTool(tool: Tool, given: unknown, caller: ToolCaller): Promise<ToolResult> {
  try {
    const input = parseInput(tool.input, given ?? {}, 'arguments');
    const output = await tool.run(input, caller.call);
    return { content: [textOf(output)], structuredContent: output };
  } catch (error) {
    const failure = caller.failureOf(error);
    if (failure === null) throw error;
    return { content: [textOf(describeFailure(tool.name, failure))], isError: true };
  }
}

/** The error of the HTTP interface, and beside it what the agent can do. */
function describeFailure(tool: string, { refusal, requestId }: OperationFailure): JsonObject {
  const { code, message, retryAfterSeconds } = refusal;
  return {
    error: { code, message: inArguments(message), request_id: requestId },
    retriable: isRetriable(code),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    next: nextStep(tool, code),
  };
}

/** Names the places of a request by the arguments that they came from. */
function inArguments(message: string): string {
  return message.replaceAll(/(?<=^|; )(?:path|body)(?=[.:[])/g, 'arguments');
}

function textOf(json: JsonObject) {
  return { type: 'text' as const, text: JSON.stringify(json) };
}
