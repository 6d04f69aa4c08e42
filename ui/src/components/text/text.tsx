import { useState } from 'react';
import { beginningOf, piecesOf } from './marked-text.js';
import styles from './text.module.css';

const maxCharacters = 2_048;

interface Props {
  readonly value: string;
  readonly isMultiline?: boolean;
}

/** Untrusted text: every character is visible, and none affects the text around it. */
export function Text({ value, isMultiline = false }: Props) {
  const [isWhole, setWhole] = useState(false);
  const isCut = value.length > maxCharacters && !isWhole;
  return (
    <bdi className={styles.text} data-multiline={isMultiline}>
      {piecesOf(isCut ? beginningOf(value, maxCharacters) : value, isMultiline).map((piece, index) =>
        'text' in piece ? (
          piece.text
        ) : (
          <span key={index} className={styles.mark} title={piece.name}>
            {piece.mark}
          </span>
        ),
      )}
      {isCut && (
        <>
          …{' '}
          <button type="button" className={styles.more} onClick={() => setWhole(true)}>
            show all {value.length.toLocaleString('en')} characters
          </button>
        </>
      )}
    </bdi>
  );
}
