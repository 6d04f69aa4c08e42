import { SuggestField } from '../../../actions/suggest-field.js';
import { useDeployed } from './deployed.js';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly hint?: string;
}

/** A field for the address of a contract, with the newest deployments of this node as suggestions. */
export function AddressField({ hint = 'The address of the contract.', ...field }: Props) {
  const suggestions = useDeployed().map((value) => ({ value, label: 'deployed by this node' }));
  return <SuggestField label="Address" {...field} hint={hint} placeholder="0x…" suggestions={suggestions} />;
}
