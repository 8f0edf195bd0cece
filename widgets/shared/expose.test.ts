import { afterEach, expect, it } from 'vitest';
import { expose } from './expose.ts';

const NAME = 'SvcExposed';
const named = (): unknown => Reflect.get(globalThis, NAME);

afterEach(() => {
  Reflect.deleteProperty(globalThis, NAME);
});

it('keeps the first copy of a script', () => {
  const [first, second] = [{ mount: () => null }, { mount: () => null }];
  expose(NAME, first);
  expose(NAME, second);
  expect(named()).toBe(first);
});

it('takes the name of an element with this id', () => {
  const widget = { mount: () => null };
  Reflect.set(globalThis, NAME, { id: NAME });
  expose(NAME, widget);
  expect(named()).toBe(widget);
});
