import { useId } from 'react';
import { Field } from './fields.js';

interface Props {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** Suggested values; others may be entered too. */
  readonly suggestions: readonly { readonly value: string; readonly label?: string }[];
}

export function SuggestField({ label, hint, error, value, onChange, placeholder, suggestions }: Props) {
  const list = useId();
  return (
    <Field label={label} {...(hint !== undefined && { hint })} {...(error !== undefined && { error })}>
      {(control) => (
        <>
          <input
            {...control}
            className="field"
            value={value}
            placeholder={placeholder}
            list={list}
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={list}>
            {suggestions.map((each) => (
              <option key={each.value} value={each.value} label={each.label} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
