import { AreaField, ChoiceField, TextField } from '../../../actions/fields.js';
import { SuggestField } from '../../../actions/suggest-field.js';
import { useOwners } from '../../../api/owners.js';
import { entryOf, exampleOf, type Parameter, readEntry, wordsOf } from '../parameters.js';

interface Props {
  readonly parameters: readonly Parameter[];
  readonly entered: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
  /** Whether fields that are empty show what they miss. */
  readonly isTried: boolean;
}

/** A field for each argument of a method or constructor, made from its type. */
export function ParameterFields({ parameters, entered, onChange, isTried }: Props) {
  return parameters.map((parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={entered[parameter.name] ?? ''}
      onChange={(value) => onChange(parameter.name, value)}
      isTried={isTried}
    />
  ));
}

interface FieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isTried: boolean;
}

function ParameterField({ parameter, value, onChange, isTried }: FieldProps) {
  const { owners } = useOwners();
  const read = readEntry(parameter, value);
  const problem = 'problem' in read && (value !== '' || isTried) ? read.problem : undefined;
  const field = { label: parameter.name, hint: wordsOf({ ...parameter, name: '' }), value, onChange, error: problem };
  const entry = entryOf(parameter);
  if (entry === 'boolean')
    return (
      <ChoiceField
        {...field}
        options={[
          ['', 'Choose'],
          ['true', 'true'],
          ['false', 'false'],
        ]}
      />
    );
  if (entry === 'json') return <AreaField {...field} rows={2} placeholder={exampleOf(parameter)} />;
  if (entry === 'address') {
    const keys = owners.flatMap(({ name, keys: own }) => own.map((key) => ({ value: key, label: name })));
    return <SuggestField {...field} placeholder="0x…" suggestions={keys} />;
  }
  return <TextField {...field} {...(entry === 'bytes' && { placeholder: '0x…' })} />;
}
