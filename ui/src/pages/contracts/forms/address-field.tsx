import { SuggestField } from '../../../actions/suggest-field.js';
import { useDeployed } from './deployed.js';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly hint?: string;
}

/** The address of a contract; those that were deployed here last are suggested. */
export function AddressField({ hint = 'The address of the contract.', ...field }: Props) {
  const suggestions = useDeployed().map((value) => ({ value, label: 'deployed here' }));
  return <SuggestField label="At" {...field} hint={hint} placeholder="0x…" suggestions={suggestions} />;
}
