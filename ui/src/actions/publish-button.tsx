import type { TSchema } from '@sinclair/typebox';
import { ActionButton } from './action-button.js';
import { TextField } from './fields.js';
import { More } from './more.js';
import { publishAction } from './publish-action.js';
import { useFields } from './use-fields.js';

const initial = { networkName: '', idempotencyKey: '' };

interface Props {
  /** The kind of record in words, such as `pool`. */
  readonly what: string;
  readonly name: string;
  /** The route that publishes it. */
  readonly path: string;
  readonly schema: TSchema;
  readonly subjects: readonly string[];
}

/** Shares a record of this node with all parties, perhaps under another name. */
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
      <p>All parties see it from then on. This cannot be undone.</p>
      <TextField
        label="Name in the network"
        value={values.networkName}
        onChange={set('networkName')}
        placeholder={name}
        hint="For all parties. Default: its name here."
        hasFocus
      />
      <More>
        <TextField
          label="Idempotency key"
          value={values.idempotencyKey}
          onChange={set('idempotencyKey')}
          hint="The node refuses a second request with the same one."
        />
      </More>
    </ActionButton>
  );
}
