// Derives wrong inputs from a schema of a request: one for everything that it can refuse.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

type Path = readonly PropertyKey[];

/** One fault in an input that is right otherwise. */
export interface WrongInput {
  /** The fault, in words. */
  readonly fault: string;
  /** The place of the fault, in the whole input. */
  readonly path: Path;
  readonly input: unknown;
}

/** The form of the values: JSON, or the texts of a path or a query. */
export type Arrival = 'json' | 'texts';

/** A text that no message may repeat. */
export const HIDDEN = 'hidden-value-of-a-customer';

/** Texts of which each refinement of a text refuses at least one. */
const TEXTS = [
  '',
  ' ',
  HIDDEN,
  'x'.repeat(40_000),
  'a\u0000b',
  'a\nb',
  'svc_claim_0000000000000000000000000000000000000000',
  'svc_setup_0000000000000000000000000000000000000000',
  'svc_invite_0000000000000000000000000000000000000000',
  'svc_reset_0000000000000000000000000000000000000000',
  'svc_provision_0000000000000000000000000000000000000000',
];

/** Numbers of which each bound of a number refuses at least one. */
const NUMBERS = [-1e300, -1, 0, 0.5, 1e9, 1e12, 1e300];

/** Parts of zod's definitions that are read here. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly Check[];
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly catchall?: z.core.$ZodType;
}

interface Check {
  readonly _zod: {
    readonly def: { readonly check: string };
    check(payload: { value: unknown; issues: unknown[] }): unknown;
  };
}

/** Wraps a wrong value of a part into an input that is right otherwise. */
type Place = (value: unknown) => unknown;

interface Spot {
  readonly schema: z.core.$ZodType;
  /** A right value of this part. */
  readonly right: unknown;
  readonly path: Path;
  readonly place: Place;
  readonly arrival: Arrival;
}

/**
 * Every wrong input of a schema, given one that is right and holds every optional member.
 *
 * @throws {Error} for a kind of schema or check that is not known here: it has to be taught first.
 */
export function wrongInputs(schema: z.ZodType, right: unknown, arrival: Arrival): WrongInput[] {
  return wrongAt({ schema, right, path: [], place: (value) => value, arrival });
}

function wrongAt(spot: Spot): WrongInput[] {
  const definition = definitionOf(spot.schema);
  const inside = insideOf(definition, spot);
  if (inside !== null) return [...inside, ...wrongByChecks(definition, spot)];
  switch (definition.type) {
    case 'string':
      return [...wrongTypes(spot, [null, 7, true, {}, [HIDDEN]]), ...wrongByChecks(definition, spot)];
    case 'number':
      return [...wrongTypes(spot, [null, HIDDEN, true, {}, Infinity]), ...wrongByChecks(definition, spot)];
    case 'boolean':
      return wrongTypes(spot, [null, HIDDEN, 0, {}]);
    case 'literal':
    case 'enum':
      return [...wrongTypes(spot, [null, 7, {}]), wrong(spot, 'another value', HIDDEN)];
    case 'object':
      return [...wrongTypes(spot, [null, HIDDEN, 7, []]), ...wrongMembers(definition, spot)].concat(
        wrongByChecks(definition, spot),
      );
    case 'array':
      return [...wrongTypes(spot, [null, HIDDEN, {}]), ...wrongItems(definition, spot)].concat(
        wrongByChecks(definition, spot),
      );
    case 'union':
      return wrongAlternatives(definition, spot);
    case 'unknown':
    // What the inner schema refuses is answered in its place.
    case 'catch':
      return [];
    default:
      throw new Error(`deriving wrong inputs: the kind of schema ${definition.type} is not known here`);
  }
}

/** Of a schema around another one, what is wrong for that one. */
function insideOf({ type, innerType, in: input }: Definition, spot: Spot): WrongInput[] | null {
  switch (type) {
    case 'optional':
    case 'default':
    case 'nullable':
    case 'prefault': {
      if (innerType === undefined) throw new Error(`looking into ${type}`);
      const inner = wrongAt({ ...spot, schema: innerType });
      return type === 'nullable' ? inner.filter(({ fault }) => fault !== 'null') : inner;
    }
    case 'pipe':
      if (input === undefined) throw new Error('looking into a pipe');
      return wrongAt({ ...spot, schema: input });
    default:
      return null;
  }
}

/** Values of other types: they can arrive as JSON only. */
function wrongTypes(spot: Spot, values: readonly unknown[]): WrongInput[] {
  if (spot.arrival === 'texts' && spot.path.length > 0) return [];
  return values.map((value) => wrong(spot, nameOf(value), value));
}

function wrongMembers({ shape = {}, catchall }: Definition, spot: Spot): WrongInput[] {
  const right = spot.right as Readonly<Record<string, unknown>>;
  const members = Object.entries(shape).flatMap(([name, schema]) => {
    if (!Object.hasOwn(right, name)) throw new Error(`deriving wrong inputs: no example of ${name}`);
    const { [name]: value, ...others } = right;
    const place: Place = (replaced) => spot.place({ ...right, [name]: replaced });
    const path = [...spot.path, name];
    const isOptional = parses(schema, undefined);
    return [
      ...(isOptional ? [] : [{ fault: 'nothing', path, input: spot.place(others) }]),
      ...wrongAt({ ...spot, schema, right: value, path, place }),
    ];
  });
  // Only the check of the limiter passes over what it does not know.
  const isStrict = catchall !== undefined && definitionOf(catchall).type === 'never';
  const unknown = {
    fault: 'an unknown member',
    path: spot.path,
    input: spot.place({ ...right, unknown: 1 }),
  };
  return isStrict ? [...members, unknown] : members;
}

function wrongItems({ element }: Definition, spot: Spot): WrongInput[] {
  const items = spot.right as readonly unknown[];
  if (element === undefined || items.length === 0) throw new Error('deriving wrong inputs: an empty array');
  return items.flatMap((right, index) =>
    wrongAt({
      ...spot,
      schema: element,
      right,
      path: [...spot.path, index],
      place: (value) => spot.place(items.with(index, value)),
    }),
  );
}

/** Of alternatives, those that the right value is one of; and a value that is none of them. */
function wrongAlternatives({ options = [] }: Definition, spot: Spot): WrongInput[] {
  const fitting = options.filter((option) => parses(option, spot.right));
  const [first] = fitting;
  if (first === undefined) throw new Error('deriving wrong inputs: no alternative takes the example');
  const alone = wrongAt({ ...spot, schema: first, place: (value) => value });
  return alone
    .filter(({ input }) => !options.some((option) => parses(option, input)))
    .map((each) => ({ ...each, input: spot.place(each.input) }));
}

/** For each check of a schema, the values that this very check refuses: it can have several messages. */
function wrongByChecks({ type, checks = [] }: Definition, spot: Spot): WrongInput[] {
  return [...checks, ...ownCheckOf(spot.schema)].flatMap((check) => {
    const kind = check._zod.def.check;
    const values = candidates(type, spot.right).filter((candidate) => refuses(check, candidate));
    if (values.length === 0) {
      throw new Error(`deriving wrong inputs: no example for the check ${kind} at ${spot.path.join('.')}`);
    }
    return values.map((value) => wrong(spot, `the check ${kind}`, value));
  });
}

/** A format such as an ISO time is a schema and a check in one. */
function ownCheckOf(schema: z.core.$ZodType): Check[] {
  const own = schema as unknown as Check;
  return 'check' in own._zod.def && typeof own._zod.check === 'function' ? [own] : [];
}

function candidates(type: string, right: unknown): unknown[] {
  switch (type) {
    case 'number':
      return NUMBERS;
    case 'array': {
      const [first] = right as readonly unknown[];
      return [[], [first, first], Array.from({ length: 1_000 }, () => first)];
    }
    case 'object':
      return variantsOf(right as Readonly<Record<string, unknown>>);
    default:
      return TEXTS;
  }
}

/** The same members with one left out, two exchanged, or a number at an end of what is common. */
function variantsOf(right: Readonly<Record<string, unknown>>): unknown[] {
  const names = Object.keys(right);
  const without = names.map((name) =>
    Object.fromEntries(Object.entries(right).filter(([other]) => other !== name)),
  );
  const exchanged = names.flatMap((one) =>
    names.map((other) => ({ ...right, [one]: right[other], [other]: right[one] })),
  );
  const ends = names.flatMap((name) =>
    typeof right[name] === 'number' ? [1, 38].map((end) => ({ ...right, [name]: end })) : [],
  );
  return [...without, ...exchanged, ...ends].filter((variant) => !isDeepStrictEqual(variant, right));
}

function refuses(check: Check, value: unknown): boolean {
  const payload = { value, issues: [] };
  check._zod.check(payload);
  return payload.issues.length > 0;
}

function parses(schema: z.core.$ZodType, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}

function wrong({ path, place }: Spot, fault: string, value: unknown): WrongInput {
  return { fault, path, input: place(value) };
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `${typeof value} ${String(value)}`;
}
