const KINDS = [
  ['f1', 'allowed'],
  ['tone-fill-warn', 'denied by a limit'],
  ['tone-fill-bad', 'refused with 429'],
] as const;

/** The kinds of calls with the grounds of their bars. */
export function Legend() {
  return (
    <ul class="legend push">
      {KINDS.map(([fill, word]) => (
        <li key={fill}>
          <svg class={`swatch ${fill}`} viewBox="0 0 14 8" aria-hidden="true">
            <rect width="14" height="8" rx="2" />
          </svg>
          {word}
        </li>
      ))}
    </ul>
  );
}
