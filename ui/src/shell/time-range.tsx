import { type FormEvent, useId, useRef, useState } from 'react';
import { useExplorer, usePlace } from '../api/explorer.js';
import { Icon } from '../components/icon.js';
import styles from './shell.module.css';

const presets = [
  { from: undefined, label: 'Live' },
  { from: '-15m', label: 'Last 15 minutes' },
  { from: '-1h', label: 'Last hour' },
  { from: '-24h', label: 'Last 24 hours' },
  { from: '-7d', label: 'Last 7 days' },
] as const;

/** Which stretch of time the lists show. */
export function TimeRange() {
  const { places } = useExplorer();
  const { from, to } = usePlace();
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const preset = presets.find((each) => to === undefined && each.from === from);
  const choose = (range: { from: string | undefined; to: string | undefined }) => {
    places.go(range);
    popover.current?.hidePopover();
  };
  return (
    <>
      <button
        type="button"
        className={`button ${styles.range}`}
        popoverTarget={id}
        aria-label={`Time range: ${preset?.label ?? 'Custom range'}`}
      >
        <Icon name="clock" />
        <span>{preset?.label ?? 'Custom range'}</span>
      </button>
      <div id={id} ref={popover} popover="auto" className={styles.popover}>
        <ul>
          {presets.map((each) => (
            <li key={each.label}>
              <button
                type="button"
                className={styles.item}
                aria-current={each === preset}
                onClick={() => choose({ from: each.from, to: undefined })}
              >
                {each.label}
              </button>
            </li>
          ))}
        </ul>
        <CustomRange key={`${from} ${to}`} from={from} to={to} onChoose={choose} />
      </div>
    </>
  );
}

interface CustomProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChoose: (range: { from: string | undefined; to: string | undefined }) => void;
}

function CustomRange({ from, to, onChoose }: CustomProps) {
  const [first, setFirst] = useState(() => localText(from));
  const [last, setLast] = useState(() => localText(to));
  const isReversed = first !== '' && last !== '' && last <= first;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose({ from: utcText(first), to: utcText(last) });
  };
  return (
    <form className={styles.custom} onSubmit={submit}>
      <label>
        From
        <input
          className="field"
          type="datetime-local"
          value={first}
          onChange={(event) => setFirst(event.target.value)}
        />
      </label>
      <label>
        To
        <input className="field" type="datetime-local" value={last} onChange={(event) => setLast(event.target.value)} />
      </label>
      {isReversed && <p role="alert">The range ends before it begins.</p>}
      <button className="button" disabled={isReversed || (first === '' && last === '')}>
        Show this range
      </button>
    </form>
  );
}

/** A time of the URL in the form of the input, which is local. */
function localText(moment: string | undefined): string {
  if (moment === undefined || moment.startsWith('-')) return '';
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utcText(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}
