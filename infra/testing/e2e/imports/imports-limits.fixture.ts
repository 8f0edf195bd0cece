/** Limits under which a suite can do what it wants from one address; those that it is about it sets itself. */
export const ROOMY_LIMITS = {
  plans: { preview: { imports: 1_000, importSchemas: 100 } },
  workspace: { createdPerAddressHour: 1_000, createdPerAddressDay: 1_000 },
  http: { managementPerMinute: 100_000, uploadsPerMinute: 100_000, unauthorizedPerMinute: 100_000 },
};
