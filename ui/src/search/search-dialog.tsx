import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useExplorer, usePlace } from '../api/explorer.js';
import { useClickBeside } from '../components/page/click-beside.js';
import { Failure } from '../components/page/failure.js';
import { Icon } from '../components/icon.js';
import { Link } from '../components/link.js';
import { Text } from '../components/text/text.js';
import type { Hit } from './lookup.js';
import styles from './search.module.css';
import { type Group, meantHit, useSearch } from './use-search.js';

/** The search dialog. The search text is in the URL. */
export function SearchDialog() {
  const { places } = useExplorer();
  const { query = '' } = usePlace();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // React removes the dialog before the browser closes it, so the browser does not restore the focus.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);
  const leave = () => places.go({ query: undefined });
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label="Search"
      onClose={leave}
      // The close event comes later than Escape, and could end a search that was opened in between.
      onCancel={leave}
      {...useClickBeside(dialog)}
    >
      <SearchBox query={query} onQuery={(next) => places.go({ query: next }, 'replace')} />
    </dialog>
  );
}

interface BoxProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
}

function SearchBox({ query, onQuery }: BoxProps) {
  const { places } = useExplorer();
  const id = useId();
  const { groups, isAsking } = useSearch(query);
  const [active, setActive] = useState<number | undefined>(undefined);
  /** Enter was pressed before all answers were here. */
  const [isAwaited, setAwaited] = useState(false);
  const hits = groups.flatMap((group) => group.hits ?? []);
  const chosen = active === undefined ? undefined : hits[active];
  const meant = chosen ?? (isAsking ? undefined : meantHit(hits));
  const open = (hit: Hit) => places.go(hit.to);
  useEffect(() => {
    if (!isAwaited || isAsking) return;
    setAwaited(false);
    if (meant !== undefined) open(meant);
  });
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (hits.length === 0) return;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((from) =>
        from === undefined ? (step > 0 ? 0 : hits.length - 1) : (from + step + hits.length) % hits.length,
      );
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (meant !== undefined) open(meant);
      else setAwaited(isAsking);
    }
  };
  return (
    <>
      <div className={styles.box}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${active}`}
          value={query}
          placeholder="Id, hash, address, DID, name@version, tag, topic, file name…"
          spellCheck={false}
          autoComplete="off"
          onKeyDown={pressed}
          onChange={({ target }) => {
            setActive(undefined);
            setAwaited(false);
            onQuery(target.value);
          }}
        />
      </div>
      <div className={styles.results} id={`${id}-list`} role="listbox" aria-label="Results">
        <Results groups={groups} chosen={chosen ?? meant} idOf={(hit) => `${id}-${hits.indexOf(hit)}`} />
      </div>
      <p className={styles.note} role="status">
        {noteOf(query, isAsking, hits.length, meant !== undefined)}
      </p>
    </>
  );
}

function noteOf(query: string, isAsking: boolean, count: number, isMeant: boolean): string {
  if (query.trim() === '') return 'Four digits of an id are enough. Values of data items are not searched.';
  if (isAsking) return 'Searching…';
  if (count === 0) return 'No results in this namespace on this node.';
  const found = `${count} ${count === 1 ? 'result' : 'results'}.`;
  return isMeant
    ? `${found} Press Enter to open the marked one.`
    : `${found} Select with the arrow keys, open with Enter.`;
}

interface ResultsProps {
  readonly groups: readonly Group[];
  readonly chosen: Hit | undefined;
  readonly idOf: (hit: Hit) => string;
}

function Results({ groups, chosen, idOf }: ResultsProps) {
  return groups.map(({ title, hits, error }) => {
    if (error !== undefined) return <Failure key={title} error={error} />;
    if (hits === undefined || hits.length === 0) return null;
    return (
      <div key={title} role="group" aria-label={title}>
        <p className={styles.group} aria-hidden="true">
          {title}
        </p>
        {hits.map((hit) => (
          <Link
            key={hit.key}
            to={hit.to}
            id={idOf(hit)}
            role="option"
            tabIndex={-1}
            aria-selected={hit === chosen}
            className={styles.hit}
          >
            <Text value={hit.label} />
            {hit.about !== undefined && (
              <span className="muted">
                <Text value={hit.about} />
              </span>
            )}
          </Link>
        ))}
      </div>
    );
  });
}
