import { AreaField, ChoiceField, TextField } from '../../../actions/fields.js';
import { SuggestField } from '../../../actions/suggest-field.js';
import { ownerText } from '../../../api/owner-text.js';
import { useOwners } from '../../../api/owners.js';
import styles from '../contracts.module.css';
import { type Entered, exampleOf, pathOfMember, readEntry } from '../entries.js';
import { entryOf, type Parameter, solidityText } from '../parameters.js';

interface Props {
  readonly parameters: readonly Parameter[];
  readonly entered: Entered;
  readonly onChange: (path: string, value: string) => void;
  /** Whether empty fields show their problems. */
  readonly isTried: boolean;
}

/** A field for each argument of a method or constructor, according to its type. */
export function ParameterFields({ parameters, ...rest }: Props) {
  return parameters.map((parameter) => (
    <ParameterField key={parameter.name} parameter={parameter} path={parameter.name} {...rest} />
  ));
}

interface FieldProps extends Omit<Props, 'parameters'> {
  readonly parameter: Parameter;
  /** The path of its field: its name, prefixed with the names of the tuples around it. */
  readonly path: string;
}

function ParameterField({ parameter, path, ...rest }: FieldProps) {
  if (entryOf(parameter) !== 'members') return <ValueField parameter={parameter} path={path} {...rest} />;
  return (
    <fieldset className={styles.tuple}>
      <legend>{parameter.name}</legend>
      {parameter.members.map((member) => (
        <ParameterField key={member.name} parameter={member} path={pathOfMember(path, member)} {...rest} />
      ))}
    </fieldset>
  );
}

function ValueField({ parameter, path, entered, onChange, isTried }: FieldProps) {
  const { owners } = useOwners();
  const value = entered[path] ?? '';
  const read = readEntry(parameter, value);
  const problem = 'problem' in read && (value !== '' || isTried) ? read.problem : undefined;
  const field = {
    label: parameter.name,
    hint: solidityText({ ...parameter, name: '' }),
    value,
    onChange: (changed: string) => onChange(path, changed),
    error: problem,
  };
  const entry = entryOf(parameter);
  if (entry === 'boolean')
    return (
      <ChoiceField
        {...field}
        options={[
          ['', 'Select'],
          ['true', 'true'],
          ['false', 'false'],
        ]}
      />
    );
  if (entry === 'json') return <AreaField {...field} rows={2} placeholder={exampleOf(parameter)} />;
  if (entry === 'address') {
    const keys = owners.flatMap((owner) => owner.keys.map((key) => ({ value: key, label: ownerText(owner) })));
    return <SuggestField {...field} placeholder="0x…" suggestions={keys} />;
  }
  return <TextField {...field} {...(entry === 'bytes' && { placeholder: '0x…' })} />;
}
