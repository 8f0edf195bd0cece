import { addAbortSignal } from 'node:stream';
import { usageFailure } from '../failure.ts';

/**
 * Reads standard input to its end.
 *
 * @throws {CommandFailure} if it is a terminal or has more than `bytesMax` bytes
 */
export async function readStandardInput(signal: AbortSignal, bytesMax: number): Promise<Buffer> {
  if (process.stdin.isTTY)
    throw usageFailure('Standard input is a terminal. Pipe the text into the command.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of addAbortSignal(signal, process.stdin)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) throw usageFailure(`Standard input has more than ${bytesMax} bytes.`);
  }
  return Buffer.concat(chunks);
}
