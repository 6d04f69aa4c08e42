import type { TSchema } from '@sinclair/typebox';
import { ActionButton } from './action-button.js';
import { TextField } from './fields.js';
import { More } from './more.js';
import { publishAction } from './publish-action.js';
import { useFields } from './use-fields.js';

const initial = { networkName: '', idempotencyKey: '' };

interface Props {
  /** The kind of record, such as `pool`. */
  readonly what: string;
  readonly name: string;
  /** The path of the request. */
  readonly path: string;
  readonly schema: TSchema;
  readonly subjects: readonly string[];
}

/** A button that publishes a record of this node to all parties, optionally under another name. */
export function PublishButton({ what, name, path, schema, subjects }: Props) {
  const { values, set, reset } = useFields(`publish ${path}`, initial);
  return (
    <ActionButton
      label="Publish"
      title={`Publish the ${what}`}
      action={publishAction(path, values)}
      schema={schema}
      subjects={subjects}
      onDone={reset}
    >
      <p>All parties will see it. This cannot be undone.</p>
      <TextField
        label="Network name"
        value={values.networkName}
        onChange={set('networkName')}
        placeholder={name}
        hint="The name for all parties. Default: its local name."
        hasFocus
      />
      <More>
        <TextField
          label="Idempotency key"
          value={values.idempotencyKey}
          onChange={set('idempotencyKey')}
          hint="The node refuses a second request with the same key."
        />
      </More>
    </ActionButton>
  );
}
