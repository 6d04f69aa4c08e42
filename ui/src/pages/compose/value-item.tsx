import { textOf } from '../../../../src/wire/json/json.js';
import { AreaField, ChoiceField } from '../../actions/fields.js';
import styles from './compose.module.css';
import type { DraftItem } from './draft-message.js';
import { splitDatatype } from './message-action.js';
import { useValidation } from './validation.js';
import { ValidationView } from './validation-view.js';

interface Props {
  readonly item: DraftItem;
  readonly label: string;
  /** `name@version` of every datatype. */
  readonly datatypes: readonly string[];
  readonly problem: string | undefined;
  readonly hasFocus: boolean;
  readonly onChange: (change: Partial<DraftItem>) => void;
}

const kinds = [
  ['json', 'JSON'],
  ['text', 'Text'],
] as const;

/** The fields of a value: its text, format and datatype. */
export function ValueItem({ item, label, datatypes, problem, hasFocus, onChange }: Props) {
  const { kind, text, datatype } = item;
  const [name, version] = splitDatatype(datatype);
  const json = kind === 'json' ? text : textOf(text);
  const validation = useValidation(json, name, version);
  const known = datatype === '' || datatypes.includes(datatype) ? datatypes : [datatype, ...datatypes];
  return (
    <>
      <AreaField
        label={label}
        rows={3}
        value={text}
        hasFocus={hasFocus}
        placeholder={kind === 'json' ? '{"hello":"world"}' : 'Any text'}
        onChange={(changed) => onChange({ text: changed })}
        {...(problem !== undefined && text !== '' && { error: problem })}
      />
      <div className={styles.options}>
        <ChoiceField
          label="Format"
          value={kind}
          options={kinds}
          onChange={(chosen) => onChange({ kind: chosen === 'text' ? 'text' : 'json' })}
        />
        <ChoiceField
          label="Datatype"
          value={datatype}
          options={[['', 'None'], ...known.map((each) => [each, each] as const)]}
          onChange={(chosen) => onChange({ datatype: chosen })}
        />
      </div>
      <ValidationView state={validation} />
    </>
  );
}
