import type { Route } from '../route.ts';
import { readSessionRoute } from './read-session.ts';
import { setUpRoute } from './set-up.ts';
import { signInRoute } from './sign-in.ts';
import { signOutRoute } from './sign-out.ts';

/** People who use the console. */
export const peopleRoutes: readonly Route[] = [setUpRoute, signInRoute, signOutRoute, readSessionRoute];
