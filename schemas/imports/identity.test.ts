import { spawnSync } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ackDigest, batchId, type CanonicalValue, rowId, validationDigest } from './identity.ts';

interface Vectors {
  rows: {
    name: string;
    schemaId: string;
    schemaRevision: number;
    row: number;
    values: CanonicalValue[];
    text: string;
    rowId: string;
  }[];
  batches: {
    name: string;
    schemaId: string;
    schemaRevision: number;
    index: number;
    firstRow: number;
    rowIds: string[];
    text: string;
    batchId: string;
    ackText: string;
    ackDigest: string;
  }[];
  validations: {
    name: string;
    importId: string;
    sourceSha256: string;
    schemaId: string;
    schemaRevision: number;
    mappingRevision: number;
    batchIds: string[];
    text: string;
    validationDigest: string;
  }[];
}

const VECTORS_FILE = new URL('./vectors/identity.json', import.meta.url);
const vectors = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as Vectors;

/** Builds every text from the vectors' inputs and hashes it, with nothing of this project. Prints what differs. */
const IN_PYTHON = `
import hashlib, json, sys
vectors = json.load(open(sys.argv[1], encoding="utf-8"))
wrong, seen = [], 0
def check(name, value, text, digest):
    global seen
    seen += 1
    own = json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    if own != text or hashlib.sha256(own.encode("utf-8")).hexdigest() != digest: wrong.append(name)
for v in vectors["rows"]:
    check(v["name"], ["svcimport.row.v1", v["schemaId"], v["schemaRevision"], v["row"], v["values"]], v["text"], v["rowId"])
for v in vectors["batches"]:
    value = ["svcimport.batch-id.v1", v["schemaId"], v["schemaRevision"], v["index"], v["firstRow"], v["rowIds"]]
    check(v["name"], value, v["text"], v["batchId"])
    check(v["name"], sorted(v["rowIds"]), v["ackText"], v["ackDigest"])
for v in vectors["validations"]:
    keys = ["importId", "sourceSha256", "schemaId", "schemaRevision", "mappingRevision", "batchIds"]
    value = {"version": "svcimport.validation.v1", **{key: v[key] for key in keys}}
    check(v["name"], value, v["text"], v["validationDigest"])
print(json.dumps({"wrong": wrong, "seen": seen}))
`;

const python = spawnSync('python3', ['-c', IN_PYTHON, fileURLToPath(VECTORS_FILE)], { encoding: 'utf8' });

describe('identity vectors', () => {
  it.each(vectors.rows)('row: $name', (vector) => {
    expect(rowId(vector.schemaId, vector.schemaRevision, vector.row, vector.values)).toBe(vector.rowId);
  });

  it.each(vectors.batches)('batch: $name', (vector) => {
    const { schemaId, schemaRevision, index, firstRow, rowIds } = vector;
    expect(batchId(schemaId, schemaRevision, index, firstRow, rowIds)).toBe(vector.batchId);
    expect(ackDigest(rowIds)).toBe(vector.ackDigest);
  });

  it.each(vectors.validations)(
    'validation: $name',
    ({ name: _, text: __, validationDigest: digest, ...validated }) => {
      expect(validationDigest(validated)).toBe(digest);
    },
  );

  it('are the digests of the texts beside them', async () => {
    const pairs = [
      ...vectors.rows.map((vector) => [vector.text, vector.rowId] as const),
      ...vectors.batches.map((vector) => [vector.text, vector.batchId] as const),
      ...vectors.batches.map((vector) => [vector.ackText, vector.ackDigest] as const),
      ...vectors.validations.map((vector) => [vector.text, vector.validationDigest] as const),
    ];
    for (const [text, digest] of pairs) {
      const hash = await webcrypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
      expect(Buffer.from(hash).toString('hex')).toBe(digest);
    }
  });

  it.skipIf(python.error !== undefined)('come out the same in another language', () => {
    expect(python.stderr).toBe('');
    const seen = vectors.rows.length + 2 * vectors.batches.length + vectors.validations.length;
    expect(JSON.parse(python.stdout)).toEqual({ wrong: [], seen });
  });

  it('tell apart what differs in position, revision, order or Unicode form', () => {
    const ids = [
      ...vectors.rows.map((vector) => vector.rowId),
      ...vectors.batches.map((vector) => vector.batchId),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('identities', () => {
  it('differ for any two lists of values', () => {
    const values = fc.array(fc.oneof(fc.constant(null), fc.boolean(), fc.string({ unit: 'grapheme' })), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(values, values, (left, right) => {
        const same = JSON.stringify(left) === JSON.stringify(right);
        expect(rowId('sch_a', 1, 1, left) === rowId('sch_a', 1, 1, right)).toBe(same);
      }),
    );
  });

  it('compare acknowledged rows as a set without repeats', () => {
    expect(ackDigest(['b', 'a', 'c'])).toBe(ackDigest(['c', 'b', 'a']));
    expect(ackDigest(['a', 'b', 'b'])).not.toBe(ackDigest(['a', 'b']));
    expect(ackDigest(['a', 'b'])).not.toBe(ackDigest(['a']));
  });

  it('refuse text that is not well-formed, which has no bytes in UTF-8', () => {
    expect(() => rowId('sch_a', 1, 1, ['\ud800'])).toThrow(TypeError);
  });
});
