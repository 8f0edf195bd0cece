import type { ClaimLink } from '../../infra/demo/agent.ts';
import type { ApiKey } from '../../infra/demo/owner.ts';
import type { CheckedSite } from '../../infra/testing/checked-site.fixture.ts';
import { type SeededFeedback, seedFeedback } from './feedback-seeds.ts';
import { type SeededChecks, seedChecks } from './seeded-checks.ts';
import type { SeededChecklist, SeededImport, SeededWorkspace, Seeds } from './seeds.ts';

/** The data that all scenes share, coherent and made over HTTP. */
export interface SceneData {
  /** It holds the imports and the checklist. */
  readonly workspace: SeededWorkspace;
  readonly ready: SeededImport;
  readonly faulty: SeededImport;
  readonly checklist: SeededChecklist;
  readonly feedback: SeededFeedback;
  /** A workspace of the organization in which nothing was made. */
  readonly bare: SeededWorkspace;
  readonly checks: SeededChecks;
  readonly key: ApiKey;
  /** It holds an import that is ready, and no person has attached it. */
  readonly preview: SeededWorkspace;
  /** To the preview. */
  readonly claim: ClaimLink;
  /** To the preview too, and replaced by {@link claim}. */
  readonly replacedClaim: ClaimLink;
  /** Sessions by who has them. */
  readonly cookies: Readonly<Record<Visitor, string | null>>;
}

/** The person at the browser. `newcomer`: the owner of another organization that has nothing yet. */
export type Visitor = 'owner' | 'member' | 'newcomer' | 'anyone';

const MEMBER = 'grace@northwind.example';
const NEWCOMER = 'kim@kite-and-ladder.example';

/** Seeds the data of all scenes. @param site the one that browser checks open */
export async function seedScenes(seeds: Seeds, site: CheckedSite): Promise<SceneData> {
  const workspace = await seeds.workspace('seismic-catalogue');
  const ready = await seeds.import(workspace, 'ready');
  await seeds.owner.claim(workspace.workspaceId);
  const faulty = await seeds.import(workspace, 'needs_correction');
  const checklist = await seeds.checklist(workspace);
  const feedback = await seedFeedback(seeds, workspace);
  const bare = await seeds.workspace('station-registry');
  const checks = await seedChecks(seeds, workspace, site);
  await seeds.workspace('Θεσσαλονίκη shake-map archive of everything since 1978');
  const preview = await seeds.preview('aftershock-forecasts');
  await seeds.import(preview, 'ready');
  const newcomer = await seeds.signUp('Kite & Ladder', NEWCOMER);
  return {
    workspace,
    ready,
    faulty,
    checklist,
    feedback,
    bare,
    checks,
    key: await seeds.key(),
    preview,
    replacedClaim: await seeds.claimLink(preview),
    claim: await seeds.claimLink(preview),
    cookies: {
      owner: seeds.cookie,
      member: await seeds.join('member', MEMBER),
      newcomer,
      anyone: null,
    },
  };
}

/** The same data at a later time: with new sessions and a new claim link. */
export async function renewed(data: SceneData, seeds: Seeds): Promise<SceneData> {
  const [owner, member, newcomer] = await Promise.all([
    seeds.signIn(),
    seeds.signIn(MEMBER),
    seeds.signIn(NEWCOMER),
  ]);
  return {
    ...data,
    replacedClaim: await seeds.claimLink(data.preview),
    claim: await seeds.claimLink(data.preview),
    cookies: { owner, member, newcomer, anyone: null },
  };
}
