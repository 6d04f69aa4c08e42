import { readPage } from '../../../../src/client/page.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Section } from '../../components/page/section.js';
import { addressOf } from './location.js';
import { ContractEventList } from './contract-event-list.js';

interface Props {
  readonly location: string | undefined;
  readonly interfaceId: string | undefined;
}

/** The newest events that the listeners of a contract have received. */
export function ApiListeners({ location, interfaceId }: Props) {
  const found = useRead('listeners', ['of interface', interfaceId], (client, signal) => {
    const where = [
      ['interface', interfaceId ?? ''],
      ['limit', '100'],
    ] as const;
    return readPage(client, 'listContractListeners', where, signal);
  });
  const own = found.data?.entries.filter(({ value }) => {
    const address = addressOf(value.filters[0]?.location ?? value.location);
    return location === undefined || address === undefined || address.toLowerCase() === location.toLowerCase();
  });
  if (found.error !== null)
    return (
      <Section title="Contract events">
        <Failure error={found.error} onRetry={() => void found.refetch()} />
      </Section>
    );
  if (own === undefined) return null;
  return (
    <Section title="Contract events">
      {own.length === 0 ? (
        <p className="muted">No listeners yet. To create one, choose an event above.</p>
      ) : (
        <ContractEventList listeners={own.map(({ value }) => value.id)} />
      )}
    </Section>
  );
}
