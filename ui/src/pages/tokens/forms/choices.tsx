import { ChoiceField, TextField } from '../../../actions/fields.js';
import { useParties } from '../../../actions/parties.js';
import { SuggestField } from '../../../actions/suggest-field.js';
import { usePools } from '../pools.js';

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** A pool, chosen by name. */
export function PoolField({ value, onChange, error }: FieldProps) {
  const names = [...usePools().values()].map(({ name }) => name);
  const known = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <ChoiceField
      label="Pool"
      value={value}
      onChange={onChange}
      error={error}
      options={[['', 'Choose a pool'], ...known.map((name) => [name, name] as const)]}
    />
  );
}

interface HolderProps extends FieldProps {
  readonly label: string;
  readonly hint?: string;
}

/** Somebody who holds tokens or acts for a holder: a party by name, or any address. */
export function HolderField({ label, hint, ...rest }: HolderProps) {
  const { parties = [] } = useParties();
  return (
    <SuggestField
      label={label}
      {...rest}
      {...(hint !== undefined && { hint })}
      placeholder="party or 0x address"
      suggestions={parties.map(({ name }) => ({ value: name }))}
    />
  );
}

interface SignProps {
  readonly values: { readonly key: string; readonly idempotencyKey: string };
  readonly set: (field: 'key' | 'idempotencyKey') => (value: string) => void;
}

/** What every signed request may name. */
export function SigningFields({ values, set }: SignProps) {
  return (
    <>
      <TextField
        label="Signing key"
        value={values.key}
        onChange={set('key')}
        hint="An address of this node. Default: that of the organisation."
      />
      <TextField
        label="Idempotency key"
        value={values.idempotencyKey}
        onChange={set('idempotencyKey')}
        hint="The node refuses a second request with the same one."
      />
    </>
  );
}
