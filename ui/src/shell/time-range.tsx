import { type FormEvent, useId, useRef, useState } from 'react';
import { useExplorer, usePlace } from '../api/explorer.js';
import { Icon } from '../components/icon.js';
import { localText, utcText } from './local-time.js';
import styles from './shell.module.css';

const presets = [
  { from: undefined, label: 'Live' },
  { from: '-15m', label: 'Last 15 minutes' },
  { from: '-1h', label: 'Last hour' },
  { from: '-24h', label: 'Last 24 hours' },
  { from: '-7d', label: 'Last 7 days' },
] as const;

/** The menu for the time range of all lists. */
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
  const [first, setFirst] = useState(() => localText(from, 'floor'));
  const [last, setLast] = useState(() => localText(to, 'ceil'));
  const isReversed = first !== '' && last !== '' && last <= first;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose({ from: utcText(first), to: utcText(last) });
  };
  return (
    <form className={styles.custom} onSubmit={submit}>
      <MomentField label="From" value={first} onChange={setFirst} />
      <MomentField label="To" value={last} onChange={setLast} />
      {isReversed && <p role="alert">The range ends before it begins.</p>}
      <button className="button" disabled={isReversed || (first === '' && last === '')}>
        Apply
      </button>
    </form>
  );
}

interface MomentProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function MomentField({ label, value, onChange }: MomentProps) {
  return (
    <label>
      {label}
      <input
        className="field"
        type="datetime-local"
        step="1"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
