import type { TokenTransfer } from '../../../../src/wire/token.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { KeyAndOwner } from '../../components/record/key-owner.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { recordSubject } from '../../live/invalidator.js';
import { AttachedMessage } from './attached-message.js';
import { PoolLink } from './pool-link.js';
import { usePools } from './pools.js';
import { TokenLink } from './token-link.js';
import { TransferAmount } from './transfer-amount.js';

const titles = { mint: 'Mint', transfer: 'Transfer', burn: 'Burn' } as const;

/** A mint, transfer or burn, with the attached message. */
export function TransferRecord({ id }: { readonly id: string }) {
  const transfer = useRead(recordSubject(id), ['transfer'], (client, signal) =>
    client.getTokenTransfer({ path: { localId: id }, signal }),
  );
  if (transfer.data === undefined) {
    if (transfer.error === null) return <Skeleton rows={8} />;
    const retry = () => void transfer.refetch();
    return <Failure error={transfer.error} what="transfer" onRetry={retry} />;
  }
  const { value, text } = transfer.data;
  return (
    <article aria-label={`Transfer ${id}`}>
      <About transfer={value} />
      <AttachedMessage message={value.message} hash={value.messageHash} />
      <Section title="As served">
        <Json text={text} what="the transfer" />
      </Section>
    </article>
  );
}

function About({ transfer }: { readonly transfer: TokenTransfer }) {
  const { type, localId, pool, tokenIndex, uri, key, from, to, created, protocolId, tx } = transfer;
  const pools = usePools();
  return (
    <Section title={titles[type]}>
      <Facts
        of={[
          ['Amount', <TransferAmount key="amount" transfer={transfer} pool={pools.get(pool)} />],
          ['Pool', <PoolLink key="pool" id={pool} />],
          ['Token', tokenIndex === undefined ? undefined : <TokenLink pool={pool} index={tokenIndex} />],
          ['URI', uri === undefined ? undefined : <Text value={uri} />],
          ['From', from === undefined ? undefined : <KeyAndOwner value={from} />],
          ['To', to === undefined ? undefined : <KeyAndOwner value={to} />],
          ['Key', <KeyAndOwner key="key" value={key} />],
          ['Recorded', created === undefined ? undefined : <Time iso={created} />],
          ['Id', <Id key="id" id={localId} what="the id of the transfer" isWhole />],
          ['Position', protocolId === undefined ? undefined : <code title="block/transaction/log">{protocolId}</code>],
          ['Transaction', tx?.id === undefined ? undefined : <Id id={tx.id} what="the transaction" />],
        ]}
      />
    </Section>
  );
}
