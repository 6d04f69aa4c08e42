import { type ReactNode, useId } from 'react';
import styles from './actions.module.css';

/** The attributes that link a control to its label, hint and error. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The reason why the content is invalid. */
  readonly error?: ReactNode;
  readonly children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint !== undefined ? `${id}-hint` : '', error !== undefined ? `${id}-error` : ''];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': described.join(' ').trim() === '' ? undefined : described.join(' ').trim(),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="muted caption">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.problem}>
          {error}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly hasFocus?: boolean;
  /** The id of a list of suggested values. */
  readonly list?: string;
}

export function TextField({ value, onChange, placeholder, hasFocus = false, list, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          className="field"
          value={value}
          placeholder={placeholder}
          autoFocus={hasFocus}
          list={list}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface AreaFieldProps extends Omit<TextFieldProps, 'list'> {
  readonly rows?: number;
}

/** A text area that grows with its content, such as JSON. */
export function AreaField({ value, onChange, placeholder, rows = 4, hasFocus = false, ...field }: AreaFieldProps) {
  const lines = value.split('\n').length;
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          className={`field mono ${styles.area}`}
          rows={Math.min(24, Math.max(rows, lines))}
          value={value}
          placeholder={placeholder}
          autoFocus={hasFocus}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface ChoiceFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, label: string])[];
}

export function ChoiceField({ value, onChange, options, ...field }: ChoiceFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} className="field" value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A field for an amount of any size. The amount stays text, since a JavaScript number would round it. */
export function AmountField({ error, value, ...rest }: TextFieldProps) {
  const own = value === '' || /^\d+$/.test(value) ? undefined : 'Enter a whole number: digits only.';
  return <TextField {...rest} value={value} error={error ?? own} />;
}

interface CheckFieldProps {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly hint?: string;
}

export function CheckField({ label, isChecked, onChange, hint }: CheckFieldProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      <span>
        {label}
        {hint !== undefined && <span className="muted caption"> {hint}</span>}
      </span>
    </label>
  );
}
