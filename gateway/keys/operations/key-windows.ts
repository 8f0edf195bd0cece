import { isoTime, isoTimeOrNull } from '../../../schemas/base/time.ts';
import { keyWindowSchema } from '../../../schemas/keys/http.ts';
import { endedWindowSchema, windowNameSchema } from '../../../schemas/limiter/http.ts';
import { dashboardMember, dashboardOwner } from '../../audiences.ts';
import { json } from '../../http/routing/audience.ts';
import { endWindow } from '../../limiter/end-window.ts';
import { readKey } from '../read-key.ts';

/** The identifier is in the body, so that no log of addresses has it. */
export const readKeyWindowRoute = dashboardMember.post('/keys/:keyId/window', {
  name: 'readKeyWindow',
  summary: 'Inspect the window of an identifier',
  description:
    'Returns the window of an identifier, and how often it was denied. The request is not counted. Keys of one mode share their windows.',
  body: json(windowNameSchema),
  success: { status: 200, schema: keyWindowSchema, description: 'What stands in the window' },
  errors: ['not_found'],
  async handle({ principal: { organizationId }, params: { keyId }, body, services }) {
    const { mode, windowsEnded = 0 } = await readKey(services, organizationId, keyId);
    const { namespace, identifier, window: windowMs } = body;
    const [window, { since, windows }] = await Promise.all([
      services.checker.readWindow({ organizationId, mode }, { namespace, identifier, windowMs }),
      services.checker.deniedWindows(organizationId, keyId),
    ]);
    const denying = windows.find(
      (one) => one.namespace === namespace && one.identifier === identifier && one.windowMs === windowMs,
    );
    return {
      body: {
        used: window?.used ?? 0,
        startedAt: isoTimeOrNull(window === null ? null : window.resetAt - windowMs),
        endsAt: isoTimeOrNull(window?.resetAt ?? null),
        denied: denying?.denied ?? 0,
        deniedSince: isoTime(since),
        windowsEnded,
      },
    };
  },
});

export const resetKeyWindowRoute = dashboardOwner.post('/keys/:keyId/window/reset', {
  name: 'resetKeyWindow',
  summary: 'End the window of an identifier',
  description:
    'Ends the window of an identifier, whose next request starts a new one. The audit log names the person and the key, and the key counts it; neither has the namespace or the identifier.',
  body: json(windowNameSchema),
  success: { status: 200, schema: endedWindowSchema, description: 'Whether a window was running' },
  errors: ['not_found', 'state_conflict'],
  async handle({ principal: { organizationId }, params: { keyId }, body, services, submit }) {
    const { mode } = await readKey(services, organizationId, keyId);
    const ended = await endWindow({ organizationId, keyId, mode }, body, { services, submit });
    return { body: { ended } };
  },
});
