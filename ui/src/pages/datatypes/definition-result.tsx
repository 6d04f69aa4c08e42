import { isFinal } from '../../../../src/client/wait.js';
import type { Datatype } from '../../../../src/wire/data/datatype.js';
import { ClientError } from '../../../../src/client/errors.js';
import { systemNamespace, useClientOf } from '../../api/client-of.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { State } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import styles from './datatypes.module.css';

interface Props {
  readonly datatype: Datatype;
  readonly onOpen: () => void;
  readonly onAgain: () => void;
}

/** The polling interval. The events of definitions are in another namespace. */
const pollMs = 500;

/** Shows the progress of a definition until it is confirmed or rejected. */
export function DefinitionResult({ datatype: { name, version, message: id = '' }, onOpen, onAgain }: Props) {
  const system = useClientOf(systemNamespace);
  const message = useRead(
    'definitions',
    [id],
    async (_, signal) => {
      try {
        return (await system.getMessage({ path: { msgid: id }, signal })).value;
      } catch (error) {
        if (error instanceof ClientError && error.status === 404) return null;
        throw error;
      }
    },
    { pollMs: (value) => (value !== undefined && value !== null && isFinal(value) ? undefined : pollMs) },
  );
  const value = message.data ?? undefined;
  return (
    <div className={styles.result} role="status">
      <p>
        <Text value={`${name}@${version}`} /> {value !== undefined && <State state={value.state} />}
      </p>
      {message.error !== null && <Failure error={message.error} onRetry={() => void message.refetch()} />}
      {value === undefined && message.error === null && <Skeleton rows={1} />}
      {value?.state === 'ready' && <p className="muted">Waiting for the chain.</p>}
      {value?.state === 'confirmed' && <p className="muted">All parties can use it now.</p>}
      {value?.rejectReason !== undefined && (
        <p>
          <Text value={value.rejectReason} />
        </p>
      )}
      <p className={styles.buttons}>
        {value?.state === 'confirmed' && (
          <button type="button" className="button primary" onClick={onOpen}>
            Open
          </button>
        )}
        <button type="button" className="button" onClick={onAgain}>
          Define another
        </button>
      </p>
    </div>
  );
}
