import { ChoiceField } from '../../../actions/fields.js';
import { useParties } from '../../../actions/parties.js';
import { SuggestField } from '../../../actions/suggest-field.js';
import { usePools } from '../pools.js';

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** A list of the pools by name. */
export function PoolField({ value, onChange, error }: FieldProps) {
  const names = [...usePools().values()].map(({ name }) => name);
  const known = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <ChoiceField
      label="Pool"
      value={value}
      onChange={onChange}
      error={error}
      options={[['', 'Select a pool'], ...known.map((name) => [name, name] as const)]}
    />
  );
}

interface HolderProps extends FieldProps {
  readonly label: string;
  readonly hint?: string;
}

/** A field for a holder or operator: the name of a party, or an address. */
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
