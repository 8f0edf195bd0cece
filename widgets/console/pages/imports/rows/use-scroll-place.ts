import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useState } from 'preact/hooks';
import { SIDE_PX } from './column-window.ts';
import { STEP_PX } from './row-window.ts';

/** The greatest height of the window over the rows, as its style sets it. It stands for the height that is not yet known. */
const WINDOW_PX_MAX = 660;

/** The place of a scroller, down to a whole step, and the size of what it shows, in pixels. */
export interface ScrollPlace {
  readonly topPx: number;
  readonly leftPx: number;
  readonly heightPx: number;
  readonly widthPx: number;
  /** Reads the place again at once: a change by code is an event only in the next frame. */
  readonly look: () => void;
}

/** The place of a scroller. It draws the caller again once in a step of some rows or of a part of a column. */
export function useScrollPlace(scroller: RefObject<HTMLElement>): ScrollPlace {
  const [topPx, setTopPx] = useState(0);
  const [leftPx, setLeftPx] = useState(0);
  const [heightPx, setHeightPx] = useState(WINDOW_PX_MAX);
  const [widthPx, setWidthPx] = useState(() => innerWidth);
  const look = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    setTopPx(stepOf(element.scrollTop, STEP_PX));
    setLeftPx(stepOf(element.scrollLeft, SIDE_PX));
  }, [scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setHeightPx(element.clientHeight);
      setWidthPx(element.clientWidth);
    });
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, look]);
  return { topPx, leftPx, heightPx, widthPx, look };
}

function stepOf(place: number, step: number): number {
  return Math.floor(place / step) * step;
}
