import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEngineFixture } from '../../../infra/engines/embedded/embedded-engine.fixture.ts';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { ServiceError } from '../../../schemas/base/errors.ts';
import { sourceBlob } from '../../../schemas/imports/blobs.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { receiveSource } from './receive-source.ts';

const FILE = Buffer.from('code\n1\n2\n');
const ANNOUNCED = {
  installationId: 'ins_one',
  importId: 'import',
  source: 'source/one',
  byteLength: FILE.length,
  sha256: sha256Hex(FILE),
};

let engine: EmbeddedEngineFixture;

beforeEach(async () => {
  engine = await EmbeddedEngineFixture.open();
});

afterEach(() => engine.close());

/** Receives pieces. Returns the code of the refusal or null, how often it asked, and the bytes of the blob or null. */
async function receive(pieces: readonly Uint8Array[], beforeWriting?: () => Promise<void>) {
  const address = sourceBlob(ANNOUNCED.installationId, ANNOUNCED.importId, ANNOUNCED.source);
  let asked = 0;
  async function* arriving() {
    yield* pieces;
  }
  const code = await receiveSource(
    { blobs: engine.blobs, clock: engine.clock, limits: DEFAULT_LIMITS },
    arriving(),
    ANNOUNCED,
    async () => {
      asked += 1;
      await beforeWriting?.();
    },
  ).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ServiceError) return error.refusal.code;
      throw error;
    },
  );
  return { code, asked, stored: await engine.blobs.size(address) };
}

describe('receiveSource', () => {
  it('asks once whether it may write, however many pieces arrive', async () => {
    const pieces = [...FILE].map((byte) => Buffer.from([byte]));
    expect(await receive(pieces)).toEqual({ code: null, asked: 1, stored: FILE.length });
  });

  it('writes nothing where it may not', async () => {
    const refuse = async () => {
      throw new ServiceError({ code: 'limit_reached', message: 'All attempts are used up.' });
    };
    expect(await receive([FILE], refuse)).toEqual({ code: 'limit_reached', asked: 1, stored: null });
  });

  it.each([
    ['nothing arrives', [], 'upload_conflict'],
    ['the first piece is longer than announced', [Buffer.alloc(FILE.length + 1)], 'payload_too_large'],
  ])('asks for nothing if %s', async (_what, pieces, code) => {
    expect(await receive(pieces)).toEqual({ code, asked: 0, stored: null });
  });
});
