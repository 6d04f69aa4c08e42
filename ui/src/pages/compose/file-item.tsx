import { useEffect, useRef, useState } from 'react';
import { useExplorer } from '../../api/explorer.js';
import { type Progress, uploadFile } from '../../api/upload.js';
import { Field } from '../../actions/fields.js';
import { Failure } from '../../components/page/failure.js';
import { Icon } from '../../components/icon.js';
import { Id } from '../../components/record/id.js';
import { sizeText } from '../../components/text/size-text.js';
import { Text } from '../../components/text/text.js';
import styles from './compose.module.css';
import type { DraftItem } from './draft-message.js';

interface Props {
  readonly item: DraftItem;
  readonly label: string;
  readonly onChange: (change: Partial<DraftItem>) => void;
}

/** A file, which is uploaded as soon as it is selected. It stays on the node only until the message is sent. */
export function FileItem({ item, label, onChange }: Props) {
  const { file, progress, error, start } = useUpload(onChange);
  const isLost = item.id === '' && item.name !== '' && file === undefined;
  return (
    <>
      <Field
        label={label}
        {...(isLost && { error: 'The page was closed before the upload was complete. Select the file again.' })}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen !== undefined) void start(chosen);
            }}
          />
        )}
      </Field>
      {progress !== undefined && (
        <div className={styles.upload}>
          <progress aria-label={`Upload of ${label}`} value={progress.sent} max={Math.max(1, progress.total)} />
          <span className="muted">
            {sizeText(progress.sent)} of {sizeText(progress.total)}
          </span>
        </div>
      )}
      {error !== undefined && (
        <Failure
          error={error}
          advice="Your input is kept."
          onRetry={() => {
            if (file !== undefined) void start(file);
          }}
        />
      )}
      {item.id !== '' && (
        <p className={styles.stored} role="status">
          <Icon name="file" />
          <Text value={item.name} />
          {file !== undefined && <span className="muted">{sizeText(file.size)}</span>}
          <span className="muted">uploaded as</span> <Id id={item.id} what="the id of the file" />
        </p>
      )}
    </>
  );
}

/** The upload of the file that was selected last. */
function useUpload(onChange: Props['onChange']) {
  const { client, live } = useExplorer();
  const [file, setFile] = useState<File | undefined>(undefined);
  const [progress, setProgress] = useState<Progress | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const leaving = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);
  const start = async (chosen: File) => {
    leaving.current?.abort();
    const controller = new AbortController();
    leaving.current = controller;
    const { signal } = controller;
    setFile(chosen);
    setError(undefined);
    setProgress({ sent: 0, total: chosen.size });
    onChange({ id: '', name: chosen.name });
    try {
      const data = await uploadFile(client, { file: chosen, hasMeta: true, onProgress: setProgress, signal });
      onChange({ id: data.id });
      live.touch('data');
    } catch (reason) {
      if (signal.aborted) return;
      setError(reason);
    }
    setProgress(undefined);
  };
  return { file, progress, error, start };
}
