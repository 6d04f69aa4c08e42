import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { indentJson, tokensOf } from '../../../../src/wire/json/json-indent.js';
import { CopyButton } from '../record/copy.js';
import styles from './json.module.css';
import { Text } from './text.js';

const maxAtOnce = 256 * 1024;
const maxColoured = 100 * 1024;
const firstLines = 200;
/** Above this number of lines, only visible ones are rendered. */
const maxLinesInPage = 2_000;
const linePx = 20;
const overscan = 30;

interface Props {
  /** JSON as served. */
  readonly text: string;
  /** The name of the JSON, for the copy button. */
  readonly what: string;
}

/** Indented JSON, formatted from the text as served: numbers, escapes and the order of keys are unchanged. */
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
  const lines = useMemo(() => indentJson(text).split('\n'), [text]);
  const isColoured = text.length <= maxColoured;
  if (isWhole && lines.length > maxLinesInPage) return <ManyLines lines={lines} isColoured={isColoured} />;
  const shown = isWhole ? lines : lines.slice(0, firstLines);
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

interface ManyProps {
  readonly lines: readonly string[];
  readonly isColoured: boolean;
}

/** A scrolling box that renders only the visible lines. */
function ManyLines({ lines, isColoured }: ManyProps) {
  const box = useRef<HTMLPreElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => linePx,
    overscan,
  });
  const items = virtual.getVirtualItems();
  return (
    <pre ref={box} className={styles.many} tabIndex={0}>
      <div style={{ height: virtual.getTotalSize() }}>
        <div style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index }) => (
            <div key={index} ref={virtual.measureElement} data-index={index}>
              {isColoured ? <Line text={lines[index] ?? ''} /> : <Text value={lines[index] ?? ''} />}
            </div>
          ))}
        </div>
      </div>
    </pre>
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
