/**
 * Words that people type into the search, by the place that they lead to: the address behind `/docs/`. The place itself uses other
 * words, or mentions these beside something else.
 */
export const SEARCH_WORDS: Readonly<Record<string, string>> = {
  '': 'license licence apache open source free software',
  'quick-start': 'getting started beginner hello world demo try example javascript',
  'rate-limits': 'throttle throttling ddos brute force flood quota per second per minute',
  'rate-limits#fixed-windows':
    'sliding window token bucket leaky bucket gcra algorithm upstash burst calendar',
  'rate-limits#without-an-answer':
    'fail open fail closed fallback circuit breaker outage offline unreachable timeout',
  'checklist#the-outbox': 'offline queue exactly once at least once transactional',
  'csv-import#pulling': 'duplicate rows duplicates twice deduplicate poll webhook for imports',
  'csv-import#correcting-rows-in-a-spreadsheet': 'excel xlsx xls libreoffice google sheets numbers',
  'browser-checks':
    'cron schedule scheduled synthetic monitoring ci github actions gitlab selenium cypress puppeteer playwright',
  client:
    'sdk npm package library nodejs typescript commonjs cjs require esm jest nestjs bun deno cloudflare workers',
  'client#rate-limits': 'middleware express fastify hono koa next.js headers x-ratelimit',
  'client#errors': 'backoff exponential retry jitter',
  errors: 'http exceptions troubleshooting help cant doesnt wont not working',
  'other-languages':
    'sdk swagger postman generator go golang java kotlin rust csharp c# .net c++ php ruby rails swift elixir',
  'reference#lists': 'pagination paging paginate offset',
  'reference#idempotency': 'idempotent duplicate request exactly once',
  'reference#a-request-and-its-answer': 'timezone time zone utc timestamp date format unicode utf-8 encoding',
  'reference/rate-limits#looking-and-resetting': 'unlock unblock locked out lockout clear',
  'reference/rate-limits#answer': 'headers x-ratelimit',
  'reference/usage#subscription':
    'price pricing prices cost plan plans free trial invoice payment pay stripe paddle upgrade plan',
  'reference/usage#events-of-a-billing-provider': 'webhook webhooks retry signature stripe paddle hmac',
  'reference/people#accounts':
    'login log in sign in sign up register account delete account cant sign in 2fa mfa two-factor passkey',
  'reference/people#roles': 'permission permissions rbac access control rights',
  'reference/people#wrong-passwords': 'locked out login brute force cant sign in',
  'reference/people#invitations-and-reset-links': 'forgot forgotten password recover email smtp mail invite',
  'reference/feedback#submissions': 'spam captcha bot honeypot',
  'reference/feedback-widget#data-labels':
    'translate translation language languages i18n l10n localization german',
  'reference/checklist-widget#the-script':
    'dark mode theme color colours style css branding translate language i18n react vue angular wordpress',
  'reference/import-widget#the-script':
    'dark mode theme color colours style css branding translate language i18n react vue angular',
  'reference/feedback-widget#what-a-visitor-sees': 'accessibility a11y wcag screen reader keyboard',
  'reference/checklist-widget': 'accessibility a11y wcag screen reader keyboard',
  'reference/import-widget#fix-it-here':
    'semicolon separator delimiter encoding umlaut latin1 windows-1252 excel bom tsv',
  'reference/checklist-widget#content-security-policy': 'csp',
  'reference/import-widget#content-security-policy': 'csp',
  'reference/feedback-widget#content-security-policy': 'csp',
  'reference/checklist-widget#what-goes-wrong': 'cors iframe csp blocked',
  'reference/import-widget#what-goes-wrong': 'cors iframe csp blocked',
  'reference/feedback-widget#what-goes-wrong': 'cors iframe csp blocked ad blocker',
  'reference/cli#--fix': 'semicolon separator delimiter tab tsv encoding umlaut',
  'reference/imports#files':
    'tsv tab separator semicolon delimiter umlaut encoding charset latin1 byte order mark',
  'reference/imports#limits': 'file too large size maximum megabytes',
  'reference/checks#runs': 'flaky retry headless robot captcha',
  'reference/operations#probes': 'health check healthz liveness readiness uptime monitoring',
  'reference/operations#logs': 'logging log level json logs debug',
  'settings#OIDC_ISSUER': 'single sign-on login with google microsoft azure ad okta',
  'tutorials/operator': 'self-host self-hosted install on a server',
  'tutorials/operator#3-give-it-an-address': 'ssl tls https certificate domain nginx caddy reverse proxy',
  deployment:
    'postgres postgresql mysql mongodb sqlite database aws azure gcp heroku fly vps systemd hosting',
  'deployment#the-image': 'docker podman container image registry',
  'deployment#on-kubernetes': 'helm chart kubectl openshift autoscaling high availability',
  'deployment#what-stands-in-front-of-the-gateways':
    'ssl tls https certificate nginx caddy traefik reverse proxy load balancer',
  'deployment#a-new-version': 'upgrade update downgrade roll back rollback migrate release',
  changelog: 'version versions release notes',
  growing: 'scaling scale capacity sizing throughput',
  backup: 'disaster recovery restore snapshot',
  'multi-region': 'disaster recovery high availability failover region',
  durability: 'high availability data loss sla',
  performance: 'benchmark latency load test sla',
  traces: 'tracing opentelemetry otel jaeger datadog',
  'security-model#erasure': 'gdpr dsgvo ccpa delete right to be forgotten privacy',
  'security-model#what-is-stored': 'privacy encryption at rest',
  'reference/imports#retention': 'ttl expiry lifetime',
  'reference/workspaces#retention-and-erasure': 'ttl expiry lifetime',
  security: 'cve advisory disclosure bug bounty vulnerability',
};
