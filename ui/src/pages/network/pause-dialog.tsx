import { useState } from 'react';
import { refusal } from '../../../../src/client/client.js';
import { curlCommand } from '../../../../src/client/curl.js';
import { explorerHeader } from '../../../../src/wire/network/stack-view.js';
import { useExplorer } from '../../api/explorer.js';
import { Dialog } from '../../components/page/dialog.js';
import { Command } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { Text } from '../../components/text/text.js';
import styles from './network.module.css';
import type { ServiceState } from './service-state.js';

interface Props {
  /** The process to pause or resume; undefined while the dialog is closed. */
  readonly service: ServiceState | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** A dialog that asks before a process is paused or resumed. */
export function PauseDialog({ service, onClose, onDone }: Props) {
  const verb = service?.state === 'paused' ? 'resume' : 'pause';
  return (
    <Dialog
      title={verb === 'pause' ? 'Pause the process?' : 'Resume the process?'}
      isOpen={service !== undefined}
      onClose={onClose}
    >
      {service !== undefined && <Question name={service.name} verb={verb} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

interface QuestionProps extends Omit<Props, 'service'> {
  readonly name: string;
  readonly verb: 'pause' | 'resume';
}

function Question({ name, verb, onClose, onDone }: QuestionProps) {
  const { client } = useExplorer();
  const [error, setError] = useState<unknown>(undefined);
  const path = `/ui/_stack/services/${name}/${verb}`;
  const headers = { [explorerHeader]: '1' };
  const act = async () => {
    setError(undefined);
    try {
      const answer = await client.exchange({ method: 'POST', path, headers });
      if (answer.status !== 200) throw refusal(answer);
      onDone();
      onClose();
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <div className={styles.question}>
      {verb === 'pause' ? (
        <p>
          <Text value={name} /> keeps its state but does nothing until it is resumed or restarted. Everything that needs
          it waits.
        </p>
      ) : (
        <p>
          <Text value={name} /> continues where it stopped.
        </p>
      )}
      <Command text={curlCommand({ method: 'POST', url: client.address(path), headers })} />
      {error !== undefined && <Failure error={error} />}
      <div className={styles.buttons}>
        <button type="button" className="button primary" onClick={() => void act()}>
          {verb === 'pause' ? 'Pause' : 'Resume'}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  );
}
