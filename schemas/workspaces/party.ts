/** The party that work is for, so that no party waits for another's crowd. */
export interface Party {
  readonly workspace: string;
  /** Names the creator of the workspace; null: not known. */
  readonly creator: string | null;
  /** True for a workspace without an owner. */
  readonly isPreview: boolean;
}
