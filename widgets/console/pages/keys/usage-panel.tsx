import { Fact, Facts } from '../../parts/table/facts.tsx';
import { count } from '../../parts/table/numbers.ts';
import { State } from '../../parts/table/state.tsx';
import { RelativeTime, useNow } from '../../parts/table/time.tsx';
import { type Month, monthOf, paceOf } from './month.ts';
import { MonthChart } from './month-chart.tsx';
import type { KeyOverviews, Subscription } from './queries.ts';
import { PLANS, SUBSCRIPTION_STATES } from './subscription-state.ts';

/** From this part of the free calls on, the bar warns. */
const WARN_FROM = 0.8;

interface UsagePanelProps {
  readonly overviews: KeyOverviews;
  readonly subscription: Subscription;
}

/** The month against the free calls: the number, the bar, the days, and the subscription. */
export function UsagePanel({ overviews, subscription }: UsagePanelProps) {
  const month = monthOf(useNow());
  return (
    <section class="panel usage" aria-labelledby="usage">
      <MonthUse subscription={subscription} month={month} />
      <MonthChart days={overviews.days} isComplete={overviews.daysComplete} month={month} />
      <SubscriptionFacts overviews={overviews} subscription={subscription} month={month} />
    </section>
  );
}

/** The panel in its final height while it loads. */
export function UsageSkeleton() {
  return (
    <div class="panel usage skeleton" aria-busy="true">
      <div>
        <span class="vh">Loading the use of the month</span>
        <div class="bone" />
        <div class="bone" />
      </div>
    </div>
  );
}

function MonthUse({ subscription, month }: { readonly subscription: Subscription; readonly month: Month }) {
  const { used, included, metered } = subscription.month;
  const part = included === 0 ? 1 : Math.min(1, used / included);
  const pace = paceOf(used, month);
  return (
    <div>
      <h2 id="usage" class="label">
        Live calls in {month.name}
      </h2>
      <p class="big">
        {count(used)} <small>of {count(included)} free</small>
      </p>
      <svg class="bar thick" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class={part >= WARN_FROM ? 'warn' : 'accent'} width={part * 100} height="4" />
      </svg>
      <ul class="legend">
        <li>{metered > 0 ? `${count(metered)} metered` : `${count(included - used)} left`}</li>
        {pace !== null && (
          <li>
            about {count(pace)} by {dayOf(month.end)} at this pace
          </li>
        )}
        <li>
          {metered > 0
            ? 'Further calls are metered, never refused'
            : 'Calls above this are metered, never refused'}
        </li>
      </ul>
    </div>
  );
}

interface SubscriptionFactsProps extends UsagePanelProps {
  readonly month: Month;
}

function SubscriptionFacts({ overviews, subscription, month }: SubscriptionFactsProps) {
  const { word, tone } = SUBSCRIPTION_STATES[subscription.status];
  const test = overviews.keys.filter(({ mode }) => mode === 'test').map((key) => key.month.used);
  return (
    <Facts>
      <Fact name="Subscription">
        <State tone={tone}>{word}</State>
      </Fact>
      <Fact name="Plan">{subscription.plan === null ? 'None' : PLANS[subscription.plan]}</Fact>
      {test.length > 0 && (
        <Fact name="Busiest test key">
          {count(Math.max(...test))} of {count(overviews.limits.testPerMonth)}
        </Fact>
      )}
      <Fact name="Resets">
        <RelativeTime at={new Date(month.end).toISOString()} />
      </Fact>
    </Facts>
  );
}

/** `1 Oct`. */
function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })}`;
}
