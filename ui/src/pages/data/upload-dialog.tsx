import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useExplorer } from '../../api/explorer.js';
import { TextPreview, useTarget } from '../../actions/request-preview.js';
import { Dialog } from '../../components/page/dialog.js';
import { Failure } from '../../components/page/failure.js';
import { sizeText } from '../../components/text/size-text.js';
import { type Progress, uploadFile } from '../../api/upload.js';
import styles from './data.module.css';
import { type UploadTexts, uploadTexts } from './upload-commands.js';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const forms = ['curl', 'stack', 'sdk'] as const;

export function UploadDialog({ isOpen, onClose }: Props) {
  return (
    <Dialog title="Upload a file" isOpen={isOpen} onClose={onClose}>
      <UploadForm onClose={onClose} />
    </Dialog>
  );
}

function UploadForm({ onClose }: { readonly onClose: () => void }) {
  const { client, live, places } = useExplorer();
  const [file, setFile] = useState<File | undefined>(undefined);
  const [hasMeta, setMeta] = useState(false);
  const target = useTarget();
  const [progress, setProgress] = useState<Progress | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const start = async () => {
    if (file === undefined) return;
    setError(undefined);
    setProgress({ sent: 0, total: file.size });
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    try {
      const { id } = await uploadFile(client, { file, hasMeta, onProgress: setProgress, signal });
      live.touch('data');
      onClose();
      places.go({ open: id });
    } catch (reason) {
      if (!signal.aborted) setError(reason);
    }
    setProgress(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className="muted">The file stays on this node until a message with it is sent.</p>
      <label>
        File
        <input type="file" required onChange={({ target }) => setFile(target.files?.[0])} />
      </label>
      <label className={styles.check}>
        <input type="checkbox" checked={hasMeta} onChange={({ target }) => setMeta(target.checked)} />
        Add name and size as value (autometa)
      </label>
      <TextPreview<keyof UploadTexts>
        names={forms}
        textOf={file && ((form) => uploadTexts(file.name, hasMeta, target)[form])}
        missing="Choose a file to see the commands."
      />
      {progress !== undefined && (
        <>
          <progress className={styles.progress} aria-label="Upload" value={progress.sent} max={progress.total} />
          <p className="muted">
            {sizeText(progress.sent)} of {sizeText(progress.total)}
          </p>
        </>
      )}
      {error !== undefined && <Failure error={error} />}
      <div className={styles.buttons}>
        <button className="button primary" disabled={file === undefined || progress !== undefined}>
          Upload
        </button>
      </div>
    </form>
  );
}
