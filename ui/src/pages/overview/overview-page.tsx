import { useExplorer } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { Command } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { MessageHistogram } from '../../components/chart/message-histogram.js';
import { usePaced } from '../../components/paced.js';
import { Page, Scroll } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Figures } from './figures.js';
import { NewestEvents } from './newest-events.js';
import styles from './overview.module.css';
import { Peers } from './peers.js';
import { Supply } from './supply.js';

/** The minimum interval between updates of the figures. */
const paceMs = 1_000;

/** The state of the node at a glance. */
export function OverviewPage() {
  const status = useRead('status', [], (client, signal) => client.getStatus({ signal }));
  const shown = usePaced(status.data, paceMs);
  return (
    <Page title="Overview">
      <Scroll>
        {shown === undefined ? (
          status.error === null ? (
            <Skeleton rows={4} />
          ) : (
            <Failure error={status.error} onRetry={() => void status.refetch()} />
          )
        ) : (
          <Figures status={shown.value} />
        )}
        <FirstRun />
        <Section title="Messages">
          <div className={styles.flush}>
            <MessageHistogram />
          </div>
        </Section>
        <div className={styles.columns}>
          <NewestEvents />
          <div>
            {shown !== undefined && <Peers status={shown.value} />}
            <Supply />
          </div>
        </div>
      </Scroll>
    </Page>
  );
}

/** Three commands to start with, while there are no messages. */
function FirstRun() {
  const { config } = useExplorer();
  const first = useRead('messages', ['any'], (client, signal) => client.listMessages({ query: { limit: 1 }, signal }));
  if (first.data === undefined || first.data.value.length > 0) return null;
  const other = config.parties.find(({ name }) => name !== config.party)?.name ?? 'bob';
  return (
    <Section title="No messages yet">
      <div className={styles.commands}>
        <p className="muted">Run one of these commands in a terminal and watch this page.</p>
        <Command text={`stack broadcast '{"hello":"world"}'`} />
        <Command text={`stack send 'only for ${other}' --to ${other}`} />
        <Command text="stack events tail --all-parties" />
      </div>
    </Section>
  );
}
