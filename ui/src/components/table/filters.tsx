import { type FormEvent, useId, useState } from 'react';
import { useExplorer, usePlace } from '../../api/explorer.js';
import styles from './filters.module.css';
import { Icon } from '../icon.js';
import { Text } from '../text/text.js';

interface Props {
  /** The fields that can be filtered. */
  readonly fields: readonly string[];
  /** Returns the problem of a filter; undefined if it is valid. */
  readonly judge: (filter: string) => string | undefined;
  readonly example: string;
}

export function Filters({ fields, judge, example }: Props) {
  const { places } = useExplorer();
  const { filters } = usePlace();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filter = text.trim();
    if (filter === '') return;
    const found = judge(filter);
    setProblem(found);
    if (found !== undefined) return;
    places.go({ filters: [...filters.filter((each) => each !== filter), filter], open: undefined });
    setText('');
  };
  return (
    <div className={styles.filters}>
      <form onSubmit={submit}>
        <Icon name="filter" />
        <input
          className="field"
          value={text}
          placeholder={example}
          aria-label="Filter"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          list={`${id}-fields`}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => {
            setText(target.value);
            setProblem(undefined);
          }}
        />
        <datalist id={`${id}-fields`}>
          {fields.map((field) => (
            <option key={field} value={`${field}=`} />
          ))}
        </datalist>
      </form>
      {filters.map((filter) => (
        <Chip
          key={filter}
          filter={filter}
          isBad={judge(filter) !== undefined}
          onRemove={() => places.go({ filters: filters.filter((each) => each !== filter) })}
        />
      ))}
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {filters.map((filter) => (
        <Ignored key={filter} filter={filter} problem={judge(filter)} />
      ))}
    </div>
  );
}

interface ChipProps {
  readonly filter: string;
  readonly isBad: boolean;
  readonly onRemove: () => void;
}

function Chip({ filter, isBad, onRemove }: ChipProps) {
  return (
    <span className={styles.chip} data-bad={isBad}>
      <Text value={filter} />
      <button type="button" aria-label={`Remove the filter ${filter}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}

/** Says that a filter of the URL has no effect. */
function Ignored({ filter, problem }: { readonly filter: string; readonly problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p className={styles.problem} role="status">
      The filter <Text value={filter} /> is ignored. {problem}
    </p>
  );
}
