import type { Data } from '../../../../src/wire/data/data.js';
import { noValue } from '../../../../src/wire/scalar.js';
import { BlobView } from './blob-view.js';
import styles from './data-item.module.css';
import { Id } from './id.js';
import { Json } from '../text/json.js';
import { Text } from '../text/text.js';

export function DataItem({ item }: { readonly item: Data }) {
  const { id, datatype, value, blob } = item;
  return (
    <div className={styles.item}>
      <p className={styles.about}>
        <Id id={id} what="the id of the data" />
        {datatype !== undefined && (
          <span className="muted">
            datatype <Text value={`${datatype.name}@${datatype.version}`} />
          </span>
        )}
      </p>
      {(blob === undefined || value !== noValue) && <Json text={value} what="the value" />}
      {blob !== undefined && <BlobView id={id} blob={blob} />}
    </div>
  );
}
