import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import styles from '../actions.module.css';
import { OperationActions } from './operation-actions.js';
import { OperationLink } from './operation-link.js';
import { OperationState } from './operation-state.js';

/** An operation with its input, its output, and buttons if it has failed. */
export function OperationRecord({ id }: { readonly id: string }) {
  const found = useRead('operations', ['one', id], (client, signal) =>
    client.getOperation({ path: { operationid: id }, signal }),
  );
  if (found.data === undefined) {
    if (found.error === null) return <Skeleton rows={6} />;
    const retry = () => void found.refetch();
    return <Failure error={found.error} what="operation" onRetry={retry} />;
  }
  const { type, status, tx, plugin, created, updated, error, input, output, retry } = found.data.value;
  return (
    <article aria-label={`Operation ${id}`}>
      <Section title={type} actions={<OperationState status={status} />}>
        <Facts
          of={[
            ['Id', <Id key="id" id={id} what="the id of the operation" isWhole />],
            ['Error', error === undefined ? undefined : <Text value={error} isMultiline />],
            ['Retried as', retry === undefined ? undefined : <OperationLink id={retry} />],
            ['Plugin', <Text key="plugin" value={plugin} />],
            ['Transaction', <Id key="tx" id={tx} what="the transaction" />],
            ['Created', <Time key="created" iso={created} />],
            ['Updated', <Time key="updated" iso={updated} />],
          ]}
        />
        {status === 'Failed' && (
          <div className={styles.row}>
            <OperationActions operation={found.data.value} />
          </div>
        )}
      </Section>
      {output !== undefined && (
        <Section title="Output">
          <Json text={output} what="the output" />
        </Section>
      )}
      {input !== undefined && (
        <Section title="Input">
          <Json text={input} what="the input" />
        </Section>
      )}
    </article>
  );
}
