import { readPage } from '../../../../src/client/page.js';
import { type JoinedTopics, JoinedTopics as JoinedTopicsSchema } from '../../../../src/wire/network/stack-view.js';
import { useJoined } from '../../api/use-joined.js';
import { useRead } from '../../api/read.js';
import { Empty } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { Page, Scroll } from '../../components/page/page.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { LaneView } from './lane-view.js';
import { type InFlight, lanesOf } from './lanes.js';
import styles from './topics.module.css';

const maxMessages = 50;
/** Waits change without an event; while something waits it is looked at again. */
const stepMs = 1_000;

/** The messages in flight by topic and group, and the heads that keep them from moving. */
export function TopicsPage() {
  const inFlight = useRead(
    'messages',
    ['in flight'],
    async (client, signal): Promise<readonly InFlight[]> => {
      const where = [
        ['state', 'ready'],
        ['sort', 'created'],
        ['limit', String(maxMessages)],
      ] as const;
      const { entries } = await readPage(client, 'listMessages', where, signal);
      const found = entries.map(async ({ value: message }) => {
        const { value } = await client.getMessageProgress({ path: { msgid: message.header.id }, signal });
        return { message, progress: value };
      });
      return Promise.all(found);
    },
    { pollMs: (found) => (found === undefined || found.length > 0 ? stepMs : undefined) },
  );
  const hasAny = (inFlight.data?.length ?? 0) > 0;
  const joined = useJoined(JoinedTopicsSchema, 'messages', 'topics', { isEnabled: hasAny, pollMs: () => stepMs });
  return (
    <Page title="Topics">
      <Scroll>
        {inFlight.error !== null && <Failure error={inFlight.error} onRetry={() => void inFlight.refetch()} />}
        {inFlight.data === undefined && inFlight.error === null && <Skeleton rows={6} />}
        {inFlight.data?.length === 0 && (
          <Empty
            sentence="Nothing waits. Messages that are not decided yet are here, by topic, with what keeps them."
            command="stack messages list --filter state=ready"
          />
        )}
        {hasAny && <Lanes inFlight={inFlight.data ?? []} joined={joined.data ?? undefined} />}
      </Scroll>
    </Page>
  );
}

interface LanesProps {
  readonly inFlight: readonly InFlight[];
  readonly joined: JoinedTopics | undefined;
}

function Lanes({ inFlight, joined }: LanesProps) {
  const lanes = lanesOf(inFlight);
  return (
    <>
      <p className={styles.summary} role="status">
        {inFlight.length === maxMessages ? 'The first ' : ''}
        {countText(inFlight.length, 'message')} in {countText(lanes.length, 'lane')}.
      </p>
      <ul className={styles.lanes} aria-label="Lanes">
        {lanes.map((lane) => (
          <LaneView key={lane.key} lane={lane} joined={joined} />
        ))}
      </ul>
    </>
  );
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
