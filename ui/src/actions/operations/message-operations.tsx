import type { Message } from '../../../../src/wire/messages/message.js';
import type { Operation } from '../../../../src/wire/chain/transaction.js';
import { usePlace } from '../../api/explorer.js';
import { Failure } from '../../components/page/failure.js';
import { Section } from '../../components/page/section.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import styles from '../actions.module.css';
import { useOperationsOf } from './of-message.js';
import { OperationActions } from './operation-actions.js';
import { OperationLink } from './operation-link.js';
import { OperationState } from './operation-state.js';
import { RewindButton } from './rewind-button.js';

/** This node's operations for a message: those of its batch, and of the transfer or call that it is attached to. */
export function MessageOperations({ message }: { readonly message: Message }) {
  const { batch } = message;
  const found = useOperationsOf(message);
  const rows = found.data?.entries.map(({ value }) => value) ?? [];
  if (found.error !== null)
    return (
      <Section title="Operations">
        <Failure error={found.error} onRetry={() => void found.refetch()} />
      </Section>
    );
  if (rows.length === 0) return null;
  return (
    <Section
      title={`Operations · ${rows.length}`}
      actions={message.state === 'ready' && batch !== undefined && <RewindButton batch={batch} />}
    >
      <ul className={styles.operations} aria-label="Operations">
        {rows.map((operation) => (
          <OperationItem
            key={operation.id}
            operation={operation}
            namespace={message.header.namespace}
            batch={message.state === 'ready' ? batch : undefined}
          />
        ))}
      </ul>
    </Section>
  );
}

interface ItemProps {
  readonly operation: Operation;
  /** The namespace of the operation. */
  readonly namespace: string;
  /** The batch that can be cancelled. */
  readonly batch: string | undefined;
}

function OperationItem({ operation, namespace, batch }: ItemProps) {
  const { ns } = usePlace();
  const { id, type, status, updated, error, retry } = operation;
  return (
    <li>
      <OperationState status={status} />
      <Text value={type} />
      <OperationLink id={id} namespace={namespace} />
      <Time iso={updated} />
      {retry !== undefined && (
        <span>
          retried as <OperationLink id={retry} namespace={namespace} />
        </span>
      )}
      {error !== undefined && (
        <p className={styles.error}>
          <Text value={error} />
        </p>
      )}
      {namespace === ns && <OperationActions operation={operation} batch={batch} />}
    </li>
  );
}
