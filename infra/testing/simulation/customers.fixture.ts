import { configuration } from '../../../processors/imports/imports-world.fixture.ts';
import type { Actor } from '../../../schemas/base/command.ts';
import { keyedDigest, sha256Hex } from '../../../schemas/base/digest.ts';
import { idFrom, uuidFrom, workspaceOf } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { mappingBlob, sourceBlob } from '../../../schemas/imports/blobs.ts';
import type { CommandTopicName } from '../../../topics/catalogue.ts';
import type { Clients, Intent, Observed } from './client.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { World } from './world.fixture.ts';

const bytes = (text: string) => keyedDigest('simulation', text);
export const installationOfCustomer = (name: string) => idFrom('installation', bytes(name));
export const organizationNamed = (name: string) => idFrom('organization', bytes(name));
const ownerOf = (organization: string) => idFrom('user', bytes(`owner of ${organization}`));
const schemaOf = (customer: string) => idFrom('schema', bytes(customer));

/** Two partitions, the second one with a row that lacks its code in every other file. */
const GOOD_FILE = Buffer.from(`code\n${'x\n'.repeat(101)}`);
const FAULTY_FILE = Buffer.from(`code\n${'x\n'.repeat(100)}""\n`);

/** Commands whose routes take an idempotency key; the others do no more when they are repeated. */
const KEYED = ['create', 'create-schema', 'reserve-import', 'validate-import', 'cancel-import'];

/** The steps of one customer with one workspace, some of them without waiting for the answer. */
export class Customer {
  readonly #name: string;
  readonly #organization: string;
  readonly #world: World;
  readonly #clients: Clients;
  readonly #random: Random;
  #steps = 0;
  #uploads = 0;

  constructor(name: string, organization: string, world: World, clients: Clients) {
    this.#name = name;
    this.#organization = organization;
    this.#world = world;
    this.#clients = clients;
    this.#random = world.random;
  }

  /** The whole flow: a preview, an import, its owner, the claim, and what owners do then. */
  async live(): Promise<void> {
    await this.#create();
    const importing = this.#import('first', this.#random.chance(0.7) ? GOOD_FILE : FAULTY_FILE);
    if (this.#random.chance(0.5)) await importing;
    // Too early: it is refused, and the place that was reserved is released.
    if (this.#random.chance(0.3)) await this.#claim();
    await this.#attach();
    await this.#claim();
    await importing;
    for (const act of this.#laterActs()) if (this.#random.chance(0.4)) await act();
  }

  #laterActs(): readonly (() => Promise<unknown>)[] {
    const installation = installationOfCustomer(this.#name);
    return [
      () => this.#workspace('pause', {}),
      () => this.#workspace('resume', {}),
      () => this.#claim(),
      () => this.#workspace('rotate-credential', { ...this.#secret(2), overlapMs: 1_000 }),
      () => this.#import('second', GOOD_FILE),
      () => this.#import('third', GOOD_FILE),
      () => this.#owner('imports', installation, 'erase-import', { importId: this.#importId('first') }),
      () => this.#workspace('revoke-credential', { credentialId: this.#secret(1).credentialId }),
      () => this.#asOwner('erase-workspace', { installationId: installation }),
    ];
  }

  async #create(): Promise<void> {
    await this.#workspace('create', {
      name: 'Orders',
      cohort: 'external',
      products: ['svcimport'],
      provisionDigest: sha256Hex(`token of ${this.#name}`),
      credential: this.#secret(1),
    });
  }

  async #attach(): Promise<void> {
    const claimDigest = sha256Hex(`code of ${this.#name}`);
    await this.#workspace('claim-link', {
      provisionDigest: sha256Hex(`token of ${this.#name}`),
      claimDigest,
    });
    const installationId = installationOfCustomer(this.#name);
    // A wrong confirm code is refused, too.
    if (this.#random.chance(0.3)) {
      await this.#asOwner('attach', { installationId, claimDigest, confirmed: false });
    }
    await this.#asOwner('attach', { installationId, claimDigest, confirmed: true });
  }

  async #claim(): Promise<void> {
    const evidence = { kind: 'import', id: this.#importId('first'), at: 0 };
    await this.#asOwner('claim', { installationId: installationOfCustomer(this.#name), evidence });
  }

  async #import(name: string, file: Buffer): Promise<void> {
    const schemaId = schemaOf(this.#name);
    if (name === 'first') await this.#imports('create-schema', { schemaId, configuration: configuration(1) });
    const importId = this.#importId(name);
    await this.#imports('reserve-import', {
      importId,
      session: null,
      schemaId,
      revision: 1,
      byteLength: file.length,
      sha256: sha256Hex(file),
      tokenDigests: [sha256Hex(`token of ${importId}`)],
    });
    await this.#imports(
      'import-uploaded',
      { importId, fault: null },
      { prepare: () => this.#upload(importId, file) },
    );
    const columns = [{ target: 'code', index: 0 }];
    await this.#imports(
      'map-import',
      { importId, revision: 1, columns, digest: sha256Hex('mapping') },
      { prepare: () => this.#storeMapping(importId) },
    );
    await this.#imports('validate-import', { importId });
    if (this.#random.chance(0.2)) await this.#imports('cancel-import', { importId });
  }

  /** Each request stores the bytes under another name, as gateways do: a refused one removes only its bytes. */
  #upload(importId: string, file: Buffer): JsonObject {
    this.#uploads += 1;
    const source = `source/${this.#uploads}`;
    this.#world.blobs.store(sourceBlob(installationOfCustomer(this.#name), importId, source), file);
    return { source };
  }

  #storeMapping(importId: string): JsonObject {
    this.#uploads += 1;
    const mapping = { revision: 1, digest: sha256Hex('mapping'), blob: `mapping/${this.#uploads}` };
    const address = mappingBlob(installationOfCustomer(this.#name), importId, mapping);
    this.#world.blobs.store(address, Buffer.from('[]'));
    return { blob: mapping.blob };
  }

  #importId(name: string): string {
    return uuidFrom(bytes(`${this.#name} ${name}`));
  }

  #secret(number: number) {
    return {
      credentialId: idFrom('credential', bytes(`credential of ${this.#name}`)),
      number,
      digest: sha256Hex(`secret ${number} of ${this.#name}`),
      lastFour: 'abcd',
    };
  }

  #workspace(type: string, input: JsonObject): Promise<Observed> {
    return this.#want('workspaces', installationOfCustomer(this.#name), type, input);
  }

  #imports(type: string, input: JsonObject, more?: Pick<Intent, 'prepare'>): Promise<Observed> {
    return this.#want('imports', installationOfCustomer(this.#name), type, input, more);
  }

  #asOwner(type: string, input: JsonObject): Promise<Observed> {
    return this.#owner('organizations', organizationNamed(this.#organization), type, input);
  }

  #owner(topic: CommandTopicName, aggregate: string, type: string, input: JsonObject): Promise<Observed> {
    const organizationId = organizationNamed(this.#organization);
    const actor: Actor = { kind: 'user', id: ownerOf(this.#organization), organizationId };
    return this.#want(topic, aggregate, type, input, { actor });
  }

  /** Asks until the answer is known, or continues without it. */
  async #want(
    topic: CommandTopicName,
    aggregate: string,
    type: string,
    input: JsonObject,
    more: Pick<Intent, 'actor' | 'prepare'> = {},
  ): Promise<Observed> {
    this.#steps += 1;
    const key = KEYED.includes(type) ? `${this.#name} ${this.#steps}` : null;
    return await this.#clients.askUntilKnown({
      topic,
      aggregate,
      type,
      input,
      key,
      repeatable: true,
      ...more,
    });
  }
}

/** The intent that makes an organization with its owner. */
export function setUpOf(organization: string): Intent {
  return {
    topic: 'organizations',
    aggregate: organizationNamed(organization),
    type: 'set-up',
    key: null,
    repeatable: true,
    input: {
      name: 'Example',
      operator: false,
      personKey: sha256Hex(`person of ${organization}`),
      userId: ownerOf(organization),
      identityBlob: 'identity',
      sessionDigest: sha256Hex(`session of ${organization}`),
    },
  };
}

/** The workspace's id of a customer. */
export function workspaceOfCustomer(name: string): string {
  return workspaceOf(installationOfCustomer(name));
}
