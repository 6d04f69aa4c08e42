import { Field } from '../../../actions/fields.js';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly onChoose: (file: File | undefined) => void;
}

export function FileField({ label, hint, error, onChoose }: Props) {
  return (
    <Field label={label} hint={hint} {...(error !== undefined && { error })}>
      {(control) => (
        <input
          {...control}
          type="file"
          accept=".json,application/json"
          onChange={({ target }) => onChoose(target.files?.[0])}
        />
      )}
    </Field>
  );
}
