// Gives a grid of the widget the keys that are pressed in it. Imported before `../shared/root.ts`, whose listener keeps keys from the
// page and from the widget.
import { GRID_KEY, GRID_KEYS } from './grid-key.ts';

addEventListener(
  'keydown',
  (event) => {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return;
    target.closest(`[${GRID_KEYS}]`)?.dispatchEvent(new CustomEvent(GRID_KEY, { detail: event }));
  },
  true,
);
