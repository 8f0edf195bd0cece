import { randomBytes } from 'node:crypto';
import { ID_BYTES, idFrom } from '../../../../schemas/base/ids.ts';
import { Customer, ORIGIN, type Received, type ServiceAtUrl } from '../customer.fixture.ts';

const SCHEMA_VERSION = '2026-08-27';

/** An id as a widget makes it. */
export const newSubmissionId = () => idFrom('submission', randomBytes(ID_BYTES));

/** The parts of a submission that a test may choose. Without an origin, it comes from no page. */
export interface SubmitOptions {
  readonly submissionId?: string;
  readonly widgetId?: string;
  readonly origin?: string | null;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An agent, visitors and an owner of one workspace with a feedback widget, against the real service. */
export class FeedbackCustomer<Service extends ServiceAtUrl = ServiceAtUrl> extends Customer<Service> {
  widgetId = '';
  #keys = 0;

  /** The first customer of a service that has just been started, with a widget. It has no opt-in. */
  static async of<Service extends ServiceAtUrl>(service: Service): Promise<FeedbackCustomer<Service>> {
    const customer = new FeedbackCustomer(service, { name: 'Feedback', cohort: 'dogfood' });
    await customer.begin();
    customer.widgetId = (await customer.create()).body.widgetId;
    return customer;
  }

  /** Another workspace of the owner of any other customer of the same service. */
  static async beside<Service extends ServiceAtUrl>(
    other: Customer<Service>,
  ): Promise<FeedbackCustomer<Service>> {
    const customer = new FeedbackCustomer(other.service, { name: 'Neighbour', cohort: 'dogfood' });
    await customer.beginBeside(other);
    customer.widgetId = (await customer.create()).body.widgetId;
    return customer;
  }

  /** Another workspace of the same owner on the same service. */
  another(): Promise<FeedbackCustomer<Service>> {
    return FeedbackCustomer.beside(this);
  }

  create(changes: object = {}): Promise<Received> {
    this.#keys += 1;
    const json = {
      schemaVersion: SCHEMA_VERSION,
      idempotencyKey: `widget ${this.#keys}`,
      origin: ORIGIN,
      ...changes,
    };
    const path = `/v1/installations/${this.installationId}/svcfeedback/widgets`;
    return this.send('POST', path, { bearer: this.credential, json });
  }

  /** Sends feedback as a page does. */
  submit({
    submissionId = newSubmissionId(),
    widgetId = this.widgetId,
    origin = ORIGIN,
    body = {},
    headers = {},
  }: SubmitOptions = {}): Promise<Received> {
    const json = {
      schemaVersion: SCHEMA_VERSION,
      submissionId,
      message: 'The map is quick.',
      website: '',
      elapsedMs: 20_000,
      ...body,
    };
    return this.send('POST', `/v1/feedback/${widgetId}/submissions`, { origin, json, headers });
  }

  /** The id of a submission that was stored. */
  async submitted(body: object = {}): Promise<string> {
    const { status, body: answer } = await this.submit({ body });
    if (status !== 202) throw new Error(`sending feedback: ${JSON.stringify(answer)}`);
    return answer.submissionId;
  }

  verify(submissionId: string, widgetId = this.widgetId): Promise<Received> {
    const path = `/v1/installations/${this.installationId}/svcfeedback/widgets/${widgetId}`;
    const json = { schemaVersion: SCHEMA_VERSION };
    return this.send('POST', `${path}/submissions/${submissionId}/verify`, { bearer: this.credential, json });
  }

  /** The loader, as a page gets it. */
  async loader(widgetId = this.widgetId): Promise<Response> {
    return await fetch(new URL(`/v1/feedback/${widgetId}/loader.v1.js`, this.service.url));
  }

  inbox(query = ''): Promise<Received> {
    return this.owner('GET', `/widgets/${this.widgetId}/submissions${query}`);
  }

  move(submissionId: string, state: string, from?: string): Promise<Received> {
    return this.inInbox('PATCH', submissionId, { state, ...(from === undefined ? {} : { from }) });
  }

  remove(submissionId: string): Promise<Received> {
    return this.inInbox('DELETE', submissionId);
  }

  /** The workspace as the agent reads it. */
  async workspace(): Promise<Received['body']> {
    return (await this.send('GET', '/v1/agent/workspace', { bearer: this.credential })).body;
  }

  private inInbox(method: 'PATCH' | 'DELETE', submissionId: string, json?: object): Promise<Received> {
    const path = `/v1/console/workspaces/${this.workspaceId}/widgets/${this.widgetId}/submissions/${submissionId}`;
    return this.send(method, path, { cookie: this.cookie, json });
  }
}
