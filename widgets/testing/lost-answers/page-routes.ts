import { productRoutes } from '../../../infra/service/gateway.ts';
import { CHANGING } from '../../../infra/testing/lost-answers/routes.fixture.ts';

/** Routes for operators without the console, and the one that only a service with a mail server answers: `mail.test.ts` sends it. */
const UNUSED = ['offerOperatorReset', 'setSwitches', 'forgotPassword'];

const changing = productRoutes().filter(({ name }) => CHANGING.includes(name) && !UNUSED.includes(name));

/** The routes by which pages of the console change something. The console sends files as the import widget does. */
export const CONSOLE_ROUTES: readonly string[] = changing
  .filter(
    ({ principal, path }) =>
      principal === 'console' || principal === 'upload' || path.startsWith('/v1/console/'),
  )
  .map(({ name }) => name);

/** The routes by which widgets on customers' pages change something. */
export const WIDGET_ROUTES: readonly string[] = changing
  .filter(({ principal }) => ['session', 'upload', 'widget', 'progress'].includes(principal))
  .map(({ name }) => name);
