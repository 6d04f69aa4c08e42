import { readPage } from '../../../../src/client/page.js';
import { type JoinedTopics, JoinedTopics as JoinedTopicsSchema } from '../../../../src/wire/network/stack-view.js';
import { useJoined } from '../../api/use-joined.js';
import { useRead } from '../../api/read.js';
import { Empty } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { Page, Scroll } from '../../components/page/page.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { ContextView } from './context-view.js';
import { contextsOf, type InFlight } from './contexts.js';
import styles from './topics.module.css';

const maxMessages = 50;
/** The polling interval while messages wait. Changes of waits have no event. */
const stepMs = 1_000;

/** The undecided messages by topic and group, with the head that blocks them. */
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
            sentence="No messages are waiting. Undecided messages appear here by topic, with the reason."
            command="stack messages list --filter state=ready"
          />
        )}
        {hasAny && <Contexts inFlight={inFlight.data ?? []} joined={joined.data ?? undefined} />}
      </Scroll>
    </Page>
  );
}

interface ContextsProps {
  readonly inFlight: readonly InFlight[];
  readonly joined: JoinedTopics | undefined;
}

function Contexts({ inFlight, joined }: ContextsProps) {
  const contexts = contextsOf(inFlight);
  return (
    <>
      <p className={styles.summary} role="status">
        {inFlight.length === maxMessages ? 'The first ' : ''}
        {countText(inFlight.length, 'message')} in {countText(contexts.length, 'topic')}.
      </p>
      <ul className={styles.contexts} aria-label="Topics">
        {contexts.map((context) => (
          <ContextView key={context.key} context={context} joined={joined} />
        ))}
      </ul>
    </>
  );
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
