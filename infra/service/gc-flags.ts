import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from allocating straight into the old generation what has often outlived the young one. Everything that a request
 * makes lives as long as the request waits for an engine, so under load V8 takes it for long-lived, and then each dead object
 * of the old generation keeps the young ones alive that it points to: a benchmark of the limiter (`npm run bench:limiter`)
 * spends a fifth of its time on collecting them, and its slowest answers take three times as long.
 *
 * To be called before anything runs often: code that is already compiled stays as it is.
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/** By how much V8 grows the young generation as more of it survives. */
const GROWTH_FACTOR = { small: 1, usual: 2 } as const;

/**
 * Keeps V8 from growing the young generation, or lets it grow again. Nearly everything that a start makes is kept, so the young
 * generation would grow to its largest size, which an idle process never gives back (`npm run bench:idle`).
 */
export function sizeYoungGeneration(size: keyof typeof GROWTH_FACTOR): void {
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH_FACTOR[size]}`);
}
