import { ownerText } from '../api/owner-text.js';
import { ChoiceField, TextField } from './fields.js';
import { shortKey, useHeldKeys } from './keys.js';

interface KeyProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A list of the registered keys of this node. */
export function KeyField({ value, onChange }: KeyProps) {
  const options = useHeldKeys().flatMap(({ key, owner }) =>
    owner === undefined ? [] : [[key, `${ownerText(owner)} · ${shortKey(key)}`] as const],
  );
  const isKnown = value === '' || options.some(([key]) => key === value);
  return (
    <ChoiceField
      label="Signing key"
      value={value}
      onChange={onChange}
      hint="The keys of this party and of its custom identities."
      options={[['', "the organisation's"], ...options, ...(isKnown ? [] : [[value, value] as const])]}
    />
  );
}

interface Props {
  readonly values: { readonly key: string; readonly idempotencyKey: string };
  readonly set: (field: 'key' | 'idempotencyKey') => (value: string) => void;
}

export function SigningFields({ values, set }: Props) {
  return (
    <>
      <KeyField value={values.key} onChange={set('key')} />
      <TextField
        label="Idempotency key"
        value={values.idempotencyKey}
        onChange={set('idempotencyKey')}
        hint="The node refuses a second request with the same key."
      />
    </>
  );
}
