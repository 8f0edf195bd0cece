/** The drawings, each in a square of 16. They stand beside words and never replace them without a label. */
const PATHS = {
  layers: 'm8 2.5 5.5 3L8 8.5l-5.5-3L8 2.5Z M2.5 8.25l5.5 3 5.5-3 M2.5 11l5.5 3 5.5-3',
  key: 'M8.25 10.5a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0Z M7.5 8.5l5.5-5.5 M11 5l1.75 1.75',
  people:
    'M8.25 5.25a2.25 2.25 0 1 1-4.5 0 2.25 2.25 0 0 1 4.5 0Z M1.75 13c.4-2.3 2-3.5 4.25-3.5s3.85 1.2 4.25 3.5 M10.5 3.2a2.25 2.25 0 0 1 0 4.1 M12 9.9c1.3.5 2.1 1.5 2.4 3.1',
  lines: 'M3 3.5h10 M3 8h10 M3 12.5h6',
  gear: 'M10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z M8 1.75v1.9 M8 12.35v1.9 M1.75 8h1.9 M12.35 8h1.9 M3.6 3.6l1.3 1.3 M11.1 11.1l1.3 1.3 M12.4 3.6l-1.3 1.3 M4.9 11.1l-1.3 1.3',
  pulse: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  search: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z M10 10l3.25 3.25',
  upDown: 'M5.25 6 8 3.25 10.75 6 M5.25 10 8 12.75 10.75 10',
  question: 'M5.9 6.1c.1-1.3 1-2.1 2.2-2.1 1.2 0 2.1.8 2.1 1.9 0 1.5-2.1 1.7-2.1 3.3 M8.1 12h.01',
  menu: 'M2.5 5h11 M2.5 11h11',
  dots: 'M3.5 8h.01 M8 8h.01 M12.5 8h.01',
  copy: 'M7.25 5.5h4.5c.97 0 1.75.78 1.75 1.75v4.5c0 .97-.78 1.75-1.75 1.75h-4.5c-.97 0-1.75-.78-1.75-1.75v-4.5c0-.97.78-1.75 1.75-1.75Z M10.5 5.25V4.2c0-.95-.75-1.7-1.7-1.7H4.2c-.95 0-1.7.75-1.7 1.7v4.6c0 .95.75 1.7 1.7 1.7h1.05',
  check: 'm3 8.5 3.25 3.25L13 5',
  arrow: 'M3 8h10 M9.5 4.5 13 8l-3.5 3.5',
  download: 'M8 2.5v7.5 M5 7.25l3 3 3-3 M2.75 13.25h10.5',
  close: 'M4 4l8 8 M12 4l-8 8',
} as const;

export type IconName = keyof typeof PATHS | 'theme';

/** A drawing that assistive technology leaves out. `size` is in pixels. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {name === 'theme' ? (
        <>
          <circle cx="8" cy="8" r="5.5" />
          <path d="M8 2.5a5.5 5.5 0 0 1 0 11Z" fill="currentColor" stroke="none" />
        </>
      ) : (
        <path d={PATHS[name]} />
      )}
    </svg>
  );
}
