import { type ComponentProps, useId } from 'react';
import { TextField } from './fields.js';

interface Props extends Omit<ComponentProps<typeof TextField>, 'list'> {
  /** Suggested values; others may be entered too. */
  readonly suggestions: readonly { readonly value: string; readonly label?: string }[];
}

export function SuggestField({ suggestions, ...field }: Props) {
  const list = useId();
  return (
    <>
      <TextField {...field} list={list} />
      <datalist id={list}>
        {suggestions.map((each) => (
          <option key={each.value} value={each.value} label={each.label} />
        ))}
      </datalist>
    </>
  );
}
