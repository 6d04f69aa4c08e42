import { Type } from '@sinclair/typebox';
import { Data } from '../../../../src/wire/data/data.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { noValue } from '../../../../src/wire/scalar.js';
import { pathOf } from '../../actions/action.js';
import { ActionButton } from '../../actions/action-button.js';
import { useExplorer } from '../../api/explorer.js';
import { Section } from '../../components/page/section.js';
import { publishDataAction } from './data-action.js';
import styles from './data.module.css';

export function DataActions({ item }: { readonly item: Data }) {
  const { id, value, blob } = item;
  return (
    <Section title="Actions">
      <div className={styles.buttons}>
        {value !== noValue && item.public === undefined && (
          <Publication item={item} part="value" label="Publish value" />
        )}
        {blob !== undefined && blob.public === undefined && (
          <Publication item={item} part="blob" label="Publish file" />
        )}
        <Deletion id={id} />
      </div>
    </Section>
  );
}

interface PublicationProps {
  readonly item: Data;
  readonly part: 'value' | 'blob';
  readonly label: string;
}

function Publication({ item: { id }, part, label }: PublicationProps) {
  return (
    <ActionButton
      label={label}
      title={part === 'value' ? 'Publish the value' : 'Publish the file'}
      action={publishDataAction(id, part)}
      schema={Data}
      subjects={['data']}
    >
      <p>All parties can read it in the shared store. This cannot be undone.</p>
    </ActionButton>
  );
}

function Deletion({ id }: { readonly id: string }) {
  const { places } = useExplorer();
  return (
    <ActionButton
      label="Delete"
      title="Delete the data item"
      action={{
        method: 'DELETE',
        path: pathOf('data', id),
        sdk: { method: 'deleteData', arguments: [textOf(id)] },
      }}
      schema={Type.Null()}
      subjects={['data']}
      onDone={() => places.go({ id: undefined, open: undefined })}
    >
      <p>Deletes the data item from this node, with its file unless another item uses it. Other parties keep theirs.</p>
    </ActionButton>
  );
}
