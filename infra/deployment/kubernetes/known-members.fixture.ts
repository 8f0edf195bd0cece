/** A value under watch, with the members that were never read. */
export interface Watched {
  readonly value: unknown;
  /** Paths such as `spec.template.spec.contaners`. */
  unseen(): string[];
}

/**
 * Hands out a value that remembers which members were looked at. The schemas of Kubernetes allow members that they do not
 * know, and the API server drops those in silence; a validator looks at every member that its schema names, so what it
 * has never looked at is a spelling mistake.
 */
export function watch(value: unknown): Watched {
  const unseen = new Set<string>();
  return { value: watched(value, '', unseen), unseen: () => [...unseen] };
}

function watched(value: unknown, path: string, unseen: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => watched(item, `${path}[${index}]`, unseen));
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  const members = Object.entries(value).map(([name, member]) => {
    unseen.add(pathOf(name));
    return [name, watched(member, pathOf(name), unseen)];
  });
  return new Proxy(Object.fromEntries(members), {
    get: (target, name) => {
      unseen.delete(pathOf(String(name)));
      return Reflect.get(target, name);
    },
    // A map, whose members may have any name, is gone through as a whole.
    ownKeys: (target) => {
      for (const name of Object.keys(target)) unseen.delete(pathOf(name));
      return Reflect.ownKeys(target);
    },
  });
}
