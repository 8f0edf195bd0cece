import { afterEach, expect, it, vi } from 'vitest';
import { expose } from './expose.ts';

const NAME = 'SvcExposed';
const named = (): unknown => Reflect.get(globalThis, NAME);

afterEach(() => {
  Reflect.deleteProperty(globalThis, NAME);
});

it('keeps the first copy of a script', () => {
  const [first, second] = [{ mount: () => null }, { mount: () => null }];
  expose(NAME, first, () => null);
  expose(NAME, second, () => null);
  expect(named()).toBe(first);
});

it('takes the name of an element with this id', () => {
  const widget = { mount: () => null };
  Reflect.set(globalThis, NAME, { id: NAME });
  expose(NAME, widget, () => null);
  expect(named()).toBe(widget);
});

it('reports an error of mount, and returns what stands for a mount', () => {
  const error = new TypeError('URL.parse is not a function');
  const reported = vi.spyOn(console, 'error').mockReturnValue();
  const broken = (_element: string): string => {
    throw error;
  };
  expose(NAME, { mount: broken }, (element) => `failed in ${element}`);
  expect(Reflect.get(Object(named()), 'mount')('here')).toBe('failed in here');
  expect(reported.mock.calls).toEqual([[`${NAME}.mount`, error]]);
  reported.mockRestore();
});
