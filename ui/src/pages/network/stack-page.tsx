import type { ReactNode } from 'react';
import { JoinedParties, JoinedServices } from '../../../../src/wire/network/stack-view.js';
import { useJoined } from '../../api/use-joined.js';
import { Empty } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { Joined } from '../../components/record/joined.js';
import { Page, Scroll } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Text } from '../../components/text/text.js';
import { Processes } from './processes.js';
import { ServiceLog } from './service-log.js';

/** The polling interval. Changes of processes have no event. */
const pollMs = 2_000;

/** The processes, parties and logs of the local stack. */
export function StackPage({ views }: { readonly views: ReactNode }) {
  const services = useJoined(JoinedServices, 'stack', 'services', { pollMs: () => pollMs });
  const parties = useJoined(JoinedParties, 'stack', 'parties', { pollMs: () => pollMs });
  const retry = () => void services.refetch();
  return (
    <Page title="Network">
      {views}
      <Scroll>
        {services.error !== null && <Failure error={services.error} onRetry={retry} />}
        {services.isLoading && <Skeleton rows={6} />}
        {isAbsent(services) && (
          <Empty
            sentence="No processes to show: this node is not part of a local stack, or the stack requires credentials."
            command="stack status"
          />
        )}
        {services.data != null && (
          <Section title="Processes">
            <Joined>
              <Processes services={services.data.services} onChange={retry} />
            </Joined>
          </Section>
        )}
        {parties.data != null && <Parties parties={parties.data.parties} />}
        {services.data != null && <ServiceLog services={services.data.services} />}
      </Scroll>
    </Page>
  );
}

/** Whether the node does not offer data of the stack. */
function isAbsent({ data, isLoading, error }: ReturnType<typeof useJoined>): boolean {
  return !isLoading && error === null && (data === null || data === undefined);
}

function Parties({ parties }: JoinedParties) {
  return (
    <Section title="Parties">
      <Joined>
        <SmallTable
          label="Parties"
          rows={parties}
          keyOf={({ party }) => party}
          columns={[
            { title: 'Party', render: ({ party }) => <Text value={party} /> },
            {
              title: 'Newest event',
              isNumber: true,
              render: ({ answer, lastSequence }) => (answer === 'unknown' ? 'no answer' : lastSequence),
            },
            {
              title: 'Blocks read',
              isNumber: true,
              render: ({ chainProcessed, chainHead }) =>
                chainProcessed === undefined ? '' : `${chainProcessed} of ${chainHead ?? 'unknown'}`,
            },
            { title: 'Undelivered', isNumber: true, render: ({ notDelivered }) => notDelivered ?? '' },
          ]}
        />
      </Joined>
    </Section>
  );
}
