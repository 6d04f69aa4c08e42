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

/** Nothing tells when a process changes, so they are looked at again while somebody sees them. */
const lookMs = 2_000;

/** The processes of the stack that this node belongs to, how its parties stand, and the last lines of their logs. */
export function StackPage({ views }: { readonly views: ReactNode }) {
  const services = useJoined(JoinedServices, 'stack', 'services', { pollMs: () => lookMs });
  const parties = useJoined(JoinedParties, 'stack', 'parties', { pollMs: () => lookMs });
  const retry = () => void services.refetch();
  return (
    <Page title="Network">
      {views}
      <Scroll>
        {services.error !== null && <Failure error={services.error} onRetry={retry} />}
        {services.isLoading && <Skeleton rows={6} />}
        {isAbsent(services) && (
          <Empty
            sentence="This node stands alone: there is no local stack around it, or the stack asks for credentials."
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

/** Whether nobody is to be asked: the node says so, or its configuration did. */
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
              render: ({ answer, lastSequence }) => (answer === 'unknown' ? 'does not answer' : lastSequence),
            },
            {
              title: 'Blocks read',
              isNumber: true,
              render: ({ chainProcessed, chainHead }) =>
                chainProcessed === undefined ? '' : `${chainProcessed} of ${chainHead ?? 'unknown'}`,
            },
            { title: 'Not delivered', isNumber: true, render: ({ notDelivered }) => notDelivered ?? '' },
          ]}
        />
      </Joined>
    </Section>
  );
}
