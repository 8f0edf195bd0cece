import { describe, expect, it } from 'vitest';
import { importGroup, mappingBlob } from '../../schemas/imports/blobs.ts';
import { mappingDocumentSchema } from '../../schemas/imports/documents.ts';
import { mappingRowId } from '../../schemas/imports/row-ids.ts';
import { ImportsWorld, installationId, OWNER } from './imports-world.fixture.ts';
import { importId, NAME, STATUSES } from './statuses.fixture.ts';

/** The blob of the mapping that the import has. */
function currentBlob(world: ImportsWorld, revision: number): string {
  const document = mappingDocumentSchema.parse(world.row('mapping', mappingRowId(importId, revision)));
  return mappingBlob(installationId, importId, { ...document, revision }).name;
}

const removed = (world: ImportsWorld) => world.folds.removedBlobs.map(({ name }) => name);

describe('the header names of a mapping', () => {
  it('stay although the same mapping was refused before: each request takes away its own', () => {
    const world = new ImportsWorld();
    STATUSES.validating(world);
    expect(world.map(NAME, 2)).toBe('state_conflict');
    expect(removed(world)).toEqual(['mapping/2']);
    for (const index of [0, 1]) world.partition(NAME, 1, index);
    expect(world.map(NAME, 2)).toBe('done');
    expect(currentBlob(world, 2)).toBe('mapping/3');
    expect(removed(world)).toEqual(['mapping/2', 'mapping/1']);
  });

  it('are kept once when the accepted mapping comes again', () => {
    const world = new ImportsWorld();
    STATUSES.uploaded(world);
    expect(world.map(NAME)).toBe('done');
    expect(currentBlob(world, 1)).toBe('mapping/1');
    expect(removed(world)).toEqual(['mapping/2']);
  });

  it('stay when a record is folded whose name is that of its content, and comes again', () => {
    const world = new ImportsWorld();
    STATUSES.unmapped(world);
    const digest = 'd'.repeat(64);
    const input = { importId, revision: 1, columns: [{ target: 'code', index: 0 }], digest };
    for (let count = 0; count < 2; count += 1) expect(world.send('map-import', input)).toBe('done');
    expect(currentBlob(world, 1)).toBe(`mapping/1/${digest}`);
    expect(removed(world)).toEqual([]);
  });

  it('go with the import', () => {
    const world = new ImportsWorld();
    STATUSES.uploaded(world);
    world.cancel(NAME, OWNER);
    expect(world.folds.removedGroups).toContainEqual(importGroup(installationId, importId));
    expect(world.map(NAME, 2)).toBe('cancelled');
    expect(removed(world)).toEqual(['name', 'mapping/2']);
  });
});
