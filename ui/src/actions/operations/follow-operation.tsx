import type { Operation } from '../../../../src/wire/chain/transaction.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import styles from '../actions.module.css';
import { OperationLink } from './operation-link.js';
import { OperationState } from './operation-state.js';

/** The polling interval of a pending operation. Some operations have no event when they end. */
const stepMs = 1_000;

/** Shows the progress of an operation until it has ended. */
export function FollowOperation({ id }: { readonly id: string }) {
  const found = useRead(
    'operations',
    ['one', id],
    (client, signal) => client.getOperation({ path: { operationid: id }, signal }),
    { pollMs: (answer) => (hasEnded(answer?.value) ? undefined : stepMs) },
  );
  const value = found.data?.value;
  return (
    <>
      <p className={styles.result}>
        <span>
          Operation <OperationLink id={id} />
        </span>
        {value !== undefined && <OperationState status={value.status} />}
        {value?.error !== undefined && <Text value={value.error} />}
      </p>
      {found.error !== null && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {value === undefined && found.error === null && <Skeleton rows={1} />}
    </>
  );
}

function hasEnded(operation: Operation | undefined): boolean {
  return operation?.status === 'Succeeded' || operation?.status === 'Failed';
}
