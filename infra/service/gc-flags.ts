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
