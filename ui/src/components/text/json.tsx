import { useState } from 'react';
import { indentJson, tokensOf } from '../../../../src/wire/json/json-indent.js';
import { CopyButton } from '../record/copy.js';
import styles from './json.module.css';
import { Text } from './text.js';

const maxAtOnce = 256 * 1024;
const maxColoured = 100 * 1024;
const firstLines = 200;

interface Props {
  /** JSON as it was served. */
  readonly text: string;
  /** The noun for the JSON, on the button that copies it. */
  readonly what: string;
}

/** JSON over lines, token by token from its own text: numbers, escapes and the order of keys stay as they came. */
export function Json({ text, what }: Props) {
  const [isOpen, setOpen] = useState(text.length <= maxAtOnce);
  return (
    <div className={styles.json}>
      <div className={styles.copy}>
        <CopyButton text={text} what={what} />
      </div>
      {isOpen ? (
        <Lines text={text} />
      ) : (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          Show {(text.length / 1024).toFixed(0)} KB
        </button>
      )}
    </div>
  );
}

function Lines({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = indentJson(text).split('\n');
  const shown = isWhole ? lines : lines.slice(0, firstLines);
  const isColoured = text.length <= maxColoured;
  return (
    <>
      <pre tabIndex={0}>
        {shown.map((line, index) => (
          <div key={index}>{isColoured ? <Line text={line} /> : <Text value={line} />}</div>
        ))}
      </pre>
      {shown.length < lines.length && (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          Show all {lines.length.toLocaleString('en')} lines
        </button>
      )}
    </>
  );
}

function Line({ text }: { readonly text: string }) {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const tokens = tokensOf(text);
  return (
    <>
      {indent}
      {tokens.map((token, index) => (
        <span key={index} className={styles[kindOf(token, tokens[index + 1])]}>
          <Text value={token} />
          {token === ':' && ' '}
        </span>
      ))}
    </>
  );
}

function kindOf(token: string, next: string | undefined): 'key' | 'string' | 'mark' | 'literal' {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string';
  return /^[{}[\]:,]/.test(token) ? 'mark' : 'literal';
}
