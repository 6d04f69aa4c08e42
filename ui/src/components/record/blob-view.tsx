import { useEffect, useState } from 'react';
import { refusal } from '../../../../src/client/client.js';
import type { Blob as BlobOf } from '../../../../src/wire/data/data.js';
import { useExplorer } from '../../api/explorer.js';
import styles from './data-item.module.css';
import { Failure } from '../page/failure.js';
import { Icon } from '../icon.js';
import { Id } from './id.js';
import { imageTypeOf, isText, maxPreviewBytes } from '../text/preview.js';
import { cleanName } from '../text/clean-name.js';
import { sizeText } from '../text/size-text.js';
import { Text } from '../text/text.js';

interface Props {
  /** The id of the data item. */
  readonly id: string;
  readonly blob: BlobOf;
}

/** A file with name, size, download, and a preview if it can be shown safely. */
export function BlobView({ id, blob }: Props) {
  const { client } = useExplorer();
  const [preview, setPreview] = useState<'closed' | 'open'>('closed');
  const canPreview = blob.size <= maxPreviewBytes;
  return (
    <div className={styles.blob}>
      <p className={styles.name}>
        <Icon name="file" />
        {blob.name !== undefined && <Text value={blob.name} />}
        <span className="muted">{sizeText(blob.size)}</span>
        <Id id={blob.hash} what="the hash of the file" />
        <span className="muted">{blob.public === undefined ? 'not in the shared store' : 'in the shared store'}</span>
      </p>
      <p className={styles.actions}>
        <a
          className="button"
          href={client.address(`data/${id}/blob`)}
          download={cleanName(blob.name ?? blob.hash.slice(0, 8))}
        >
          <Icon name="download" /> Download
        </a>
        {canPreview && (
          <button
            type="button"
            className="button"
            aria-expanded={preview === 'open'}
            onClick={() => setPreview(preview === 'open' ? 'closed' : 'open')}
          >
            {preview === 'open' ? 'Hide' : 'Preview'}
          </button>
        )}
      </p>
      {preview === 'open' && <Preview id={id} />}
    </div>
  );
}

type Content = { readonly image: string } | { readonly text: string } | { readonly bytes: number };

/** A preview of an image, recognised by its signature, or of plain text. Nothing else is rendered. */
function Preview({ id }: { readonly id: string }) {
  const { client } = useExplorer();
  const [content, setContent] = useState<Content | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    let url: string | undefined;
    const show = async () => {
      const answer = await client.exchange({ method: 'GET', path: `data/${id}/blob`, signal: leaving.signal });
      if (answer.status !== 200) throw refusal(answer);
      const { bytes } = answer;
      const type = imageTypeOf(bytes);
      if (type !== undefined) {
        url = URL.createObjectURL(new Blob([bytes.slice()], { type }));
        setContent({ image: url });
      } else setContent(isText(bytes) ? { text: new TextDecoder().decode(bytes) } : { bytes: bytes.length });
    };
    show().catch((reason: unknown) => {
      if (!leaving.signal.aborted) setError(reason);
    });
    return () => {
      leaving.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [client, id]);
  if (error !== undefined) return <Failure error={error} what="file" />;
  if (content === undefined) return <p className="muted">Loading…</p>;
  if ('image' in content) return <img className={styles.image} src={content.image} alt="Preview of the file" />;
  if ('bytes' in content) return <p className="muted">No preview: the file is neither text nor a supported image.</p>;
  return (
    <pre className={styles.textPreview} tabIndex={0}>
      <Text value={content.text} isMultiline />
    </pre>
  );
}
