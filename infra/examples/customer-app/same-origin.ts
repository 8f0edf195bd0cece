import type { NextFunction, Request, Response } from 'express';

/**
 * Lets only requests of your own pages pass, which is all the CSRF protection that a JSON interface with a `SameSite`
 * cookie needs: a browser names the page's origin in `Origin` on every POST, a page cannot change it, and a form of
 * another site cannot send JSON.
 *
 * @param origin your application's own, like `https://app.example`
 */
export function requireSameOrigin(origin: string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.get('origin') === origin && request.is('application/json') !== false) next();
    else response.status(403).json({ error: 'This is for pages of this site.' });
  };
}
