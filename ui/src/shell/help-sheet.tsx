import { useState } from 'react';
import { Dialog } from '../components/page/dialog.js';
import { pages } from '../pages.js';
import { hasSingleKeys, setSingleKeys } from './keys.js';
import styles from './shell.module.css';
import { applyDensity, storedDensity } from './theme.js';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const keys: readonly (readonly [keys: string, does: string])[] = [
  ['/', 'Search'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['[ ]', 'Previous and next record in the side panel'],
  ['Esc', 'Close the dialog or record'],
  ['n', 'Compose a message'],
  ['Ctrl Enter', 'Send the composed message'],
  ['c', 'Copy the id of the open record'],
  ['l', 'Back to live'],
  ['?', 'This help'],
];

/** The keyboard shortcuts, and the settings of this browser. */
export function HelpSheet({ isOpen, onClose }: Props) {
  const [isOn, setOn] = useState(hasSingleKeys);
  const [density, setDensity] = useState(storedDensity);
  return (
    <Dialog title="Keyboard and settings" isOpen={isOpen} onClose={onClose}>
      <dl className={styles.keys}>
        {pages.map(({ name, title, key }) => (
          <Row key={name} keys={`g ${key}`} does={title} />
        ))}
        {keys.map(([each, does]) => (
          <Row key={each} keys={each} does={does} />
        ))}
      </dl>
      <label className={styles.setting}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setSingleKeys(target.checked);
            setOn(target.checked);
          }}
        />
        Single-key shortcuts
      </label>
      <label className={styles.setting}>
        <input
          type="checkbox"
          checked={density === 'comfortable'}
          onChange={({ target }) => {
            const next = target.checked ? 'comfortable' : 'compact';
            applyDensity(next);
            setDensity(next);
          }}
        />
        Larger rows and text
      </label>
    </Dialog>
  );
}

function Row({ keys: text, does }: { readonly keys: string; readonly does: string }) {
  return (
    <div>
      <dt>
        {text.split(' ').map((each) => (
          <kbd key={each}>{each}</kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
