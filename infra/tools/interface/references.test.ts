import { describe, expect, it } from 'vitest';
import { withoutReferences } from './references.ts';

const components = {
  schemas: {
    Name: { type: 'string', description: 'A name.', maxLength: 80 },
    Person: { type: 'object', properties: { name: { $ref: '#/components/schemas/Name' } } },
    Tree: { type: 'object', properties: { children: { $ref: '#/components/schemas/Tree' } } },
    'a/b': { type: 'boolean' },
  },
};

const expand = (schema: object) =>
  withoutReferences({ components: { schemas: { ...components.schemas, Tree: {} } }, schema: { ...schema } })[
    'schema'
  ];

describe('withoutReferences', () => {
  it('replaces references inside of what references lead to', () => {
    expect(expand({ items: { $ref: '#/components/schemas/Person' } })).toEqual({
      items: {
        type: 'object',
        properties: { name: { type: 'string', description: 'A name.', maxLength: 80 } },
      },
    });
  });

  it('keeps a member that only has the name of a reference', () => {
    const schema = { properties: { $ref: { type: 'string' } } };
    expect(expand(schema)).toEqual(schema);
  });

  it('unescapes JSON pointers', () => {
    expect(expand({ $ref: '#/components/schemas/a~1b' })).toEqual({ type: 'boolean' });
  });

  it('lets an annotation beside a reference replace that of its target', () => {
    expect(expand({ $ref: '#/components/schemas/Name', description: 'Another.' })).toEqual({
      type: 'string',
      description: 'Another.',
      maxLength: 80,
    });
  });

  it('keeps a constraint beside a reference in addition to its target', () => {
    const name = { type: 'string', description: 'A name.', maxLength: 80 };
    expect(expand({ $ref: '#/components/schemas/Name', maxLength: 100 })).toEqual({
      allOf: [name, { maxLength: 100 }],
    });
  });

  it('rejects a reference to nothing, out of the document, or to itself', () => {
    expect(() => expand({ $ref: '#/components/schemas/Nobody' })).toThrow('nothing is there');
    expect(() => expand({ $ref: 'https://example.com/schema.json' })).toThrow('out of the document');
    expect(() => withoutReferences({ components })).toThrow('refers to itself');
  });
});
