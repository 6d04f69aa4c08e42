import { readPage } from '../../../../src/client/page.js';
import { useRead } from '../../api/read.js';
import { Empty } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { KeyAndOwner } from '../../components/record/key-owner.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Time } from '../../components/text/time.js';
import { ApprovalState } from './approval-state.js';
import { AttachedMessage } from './attached-message.js';
import { PoolLink } from './pool-link.js';

/** An approval, with the attached message. */
export function ApprovalRecord({ id }: { readonly id: string }) {
  const found = useRead('approvals', ['one', id], async (client, signal) => {
    const { entries } = await readPage(client, 'listTokenApprovals', [['localid', id]], signal);
    return entries[0] ?? null;
  });
  if (found.data === undefined) {
    if (found.error === null) return <Skeleton rows={6} />;
    return <Failure error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (found.data === null)
    return <Empty sentence="Approval not found. It may not have arrived yet, or belongs to another namespace." />;
  const { value, text } = found.data;
  const { key, operator, pool, created, localId, protocolId, tx, message, messageHash } = value;
  return (
    <article aria-label={`Approval ${id}`}>
      <Section title="Approval" actions={<ApprovalState approval={value} />}>
        <Facts
          of={[
            ['Owner', <KeyAndOwner key="owner" value={key} />],
            ['Operator', <KeyAndOwner key="operator" value={operator} />],
            ['Pool', <PoolLink key="pool" id={pool} />],
            ['Recorded', created === undefined ? undefined : <Time iso={created} />],
            ['Id', <Id key="id" id={localId} what="the id of the approval" isWhole />],
            [
              'Position',
              protocolId === undefined ? undefined : <code title="block/transaction/log">{protocolId}</code>,
            ],
            ['Transaction', tx?.id === undefined ? undefined : <Id id={tx.id} what="the transaction" />],
          ]}
        />
      </Section>
      <AttachedMessage message={message} hash={messageHash} />
      <Section title="As served">
        <Json text={text} what="the approval" />
      </Section>
    </article>
  );
}
