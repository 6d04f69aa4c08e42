import { readPage } from '../../../../src/client/page.js';
import { ClientError } from '../../../../src/client/errors.js';
import { type JoinedRecord, JoinedRecord as JoinedRecordSchema } from '../../../../src/wire/network/stack-view.js';
import type { Progress } from '../../../../src/wire/messages/progress.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { useJoined } from '../../api/use-joined.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { Empty } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Link } from '../../components/link.js';
import { MessageKind } from '../../components/record/message-kind.js';
import { Page, Scroll } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { State } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { recordSubject } from '../../live/invalidator.js';
import styles from './flow.module.css';
import { FlowStepView } from './flow-step-view.js';
import { flowLanes, stepsInOrder } from './flow-lanes.js';
import { FlowChart } from './flow-chart.js';

const stepMs = 1_000;
const newestCount = 20;

/** The path of a message or batch through the network, or a list of the newest messages. */
export function FlowPage() {
  const { id } = usePlace();
  return (
    <Page title="Flow">
      <Scroll>{id === undefined ? <NewestMessages /> : <Flow key={id} id={id} />}</Scroll>
    </Page>
  );
}

function NewestMessages() {
  const newest = useRead('messages', ['newest'], (client, signal) =>
    readPage(client, 'listMessages', [['limit', String(newestCount)]], signal),
  );
  const rows = newest.data?.entries.map(({ value }) => value) ?? [];
  return (
    <Section title="Newest messages">
      {newest.error !== null && <Failure error={newest.error} onRetry={() => void newest.refetch()} />}
      {newest.isPending && <Skeleton rows={6} />}
      {newest.data !== undefined && rows.length === 0 && (
        <Empty
          sentence="No messages yet. Send one to see its path from the author to each party."
          command={`stack broadcast '{"hello":"world"}'`}
        >
          <Link className="button" to={{ page: 'compose', id: undefined }}>
            Compose a message
          </Link>
        </Empty>
      )}
      <ul className={styles.choices}>
        {rows.map(({ header, state }) => (
          <li key={header.id}>
            <Link to={{ id: header.id, tab: undefined }}>
              <code>{header.id.slice(0, 8)}</code>
            </Link>
            <State state={state} />
            <MessageKind type={header.type} />
            <Author did={header.author} />
            <Text value={header.topics.join(', ')} />
            <Time iso={header.created} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface Found {
  readonly kind: 'messages' | 'batches';
  readonly progress: Progress;
}

function Flow({ id }: { readonly id: string }) {
  const { config } = useExplorer();
  const isOver = ({ progress: { missing, waits } }: Found) => missing === undefined && waits.length === 0;
  const found = useRead(
    recordSubject(id),
    ['flow'],
    async (client, signal): Promise<Found> => {
      try {
        const { value } = await client.getMessageProgress({ path: { msgid: id }, signal });
        return { kind: 'messages', progress: value };
      } catch (error) {
        if (!(error instanceof ClientError) || error.status !== 404) throw error;
        return { kind: 'batches', progress: (await client.getBatchProgress({ path: { batchid: id }, signal })).value };
      }
    },
    { pollMs: (answer) => (answer === undefined || isOver(answer) ? undefined : stepMs) },
  );
  const kind = found.data?.kind ?? 'messages';
  const joined = useJoined(JoinedRecordSchema, recordSubject(id), `${kind}/${id}`, {
    isEnabled: found.data !== undefined,
    // Poll while a party does not answer or has steps left.
    pollMs: ({ parties }) =>
      parties.every(({ answer, missing }) => answer === 'absent' || (answer === 'held' && missing === undefined))
        ? undefined
        : stepMs,
  });
  if (found.data === undefined) {
    if (found.error === null) return <Skeleton rows={8} />;
    const retry = () => void found.refetch();
    return <Failure error={found.error} what="message or batch" onRetry={retry} />;
  }
  return <Lanes id={id} found={found.data} party={config.party} joined={joined.data ?? undefined} />;
}

interface LanesProps {
  readonly id: string;
  readonly found: Found;
  readonly party: string;
  readonly joined: JoinedRecord | undefined;
}

function Lanes({ id, found: { kind, progress }, party, joined }: LanesProps) {
  const { places } = useExplorer();
  const { tab } = usePlace();
  const lanes = flowLanes(progress, party, joined);
  const order = stepsInOrder(lanes);
  const at = order.findIndex(({ key }) => key === tab);
  const go = (to: number) => places.go({ tab: order[to]?.key });
  return (
    <>
      <div className={styles.bar}>
        <span>
          {kind === 'messages' ? 'Message' : 'Batch'} <Id id={id} what="the id" />
        </span>
        {kind === 'messages' && (
          <Link to={{ page: 'messages', id: undefined, tab: undefined, open: id }}>Open message</Link>
        )}
        <span className={styles.spring} />
        <button type="button" className="button" disabled={at <= 0} onClick={() => go(at - 1)}>
          Previous step
        </button>
        <button type="button" className="button" disabled={at >= order.length - 1} onClick={() => go(at + 1)}>
          {at < 0 ? 'First step' : 'Next step'}
        </button>
      </div>
      <FlowChart lanes={lanes} columns={progress.steps.length} chosen={tab} begin={order[0]?.time} />
      <FlowStepView progress={progress} lanes={lanes} chosen={order[at]} joined={joined} />
    </>
  );
}
