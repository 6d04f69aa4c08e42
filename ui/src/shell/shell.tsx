import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { useExplorer, usePlace } from '../api/explorer.js';
import { Skeleton } from '../components/skeleton.js';
import { pages } from '../pages.js';
import { pagePlace, type Place } from '../url/place.js';
import type { Places } from '../url/places.js';
import { Banner } from './banner.js';
import { Boundary } from './boundary.js';
import { HelpSheet } from './help-sheet.js';
import { type Keys, useKeys } from './keys.js';
import { Rail } from './rail.js';
import styles from './shell.module.css';
import { TopBar } from './top-bar.js';

const SearchDialog = lazy(async () => ({ default: (await import('../search/search-dialog.js')).SearchDialog }));

/** The frame around every page. */
export function Shell() {
  const { config, places } = useExplorer();
  const place = usePlace();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const page = pages.find(({ name }) => name === place.page) ?? pages[0];
  useEffect(() => {
    document.title = `${page?.title ?? ''} · ${place.ns} · ${config.party}`;
  }, [page, place.ns, config.party]);
  useEffect(() => setDrawerOpen(false), [place.page]);
  useKeys(keysOf(place, places, () => setHelpOpen(true)));
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Rail isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)} />
      <div className={styles.column}>
        <TopBar onHelp={() => setHelpOpen(true)} onDrawer={() => setDrawerOpen(true)} />
        <Banner />
        <Notices />
        <main id="main" className={styles.main} tabIndex={-1}>
          <Boundary key={`${place.page} ${place.id ?? ''}`}>
            <Suspense fallback={<Skeleton rows={8} />}>{page && <page.Page />}</Suspense>
          </Boundary>
        </main>
      </div>
      {place.query !== undefined && (
        <Boundary>
          <Suspense>
            <SearchDialog />
          </Suspense>
        </Boundary>
      )}
      <HelpSheet isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

/** Sentences about parts of the URL that mean nothing. */
function Notices() {
  const { places } = useExplorer();
  const { notices } = useSyncExternalStore(places.subscribe, places.current);
  if (notices.length === 0) return null;
  return (
    <div className={styles.notices} role="status">
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </div>
  );
}

/** The keys that work on every page. */
function keysOf(place: Place, places: Places, onHelp: () => void): Keys {
  const jumps = pages.map(({ name, key }) => [`g ${key}`, () => places.go(pagePlace(place, name))] as const);
  return {
    ...Object.fromEntries(jumps),
    '/': (event) => {
      // The key itself is not part of the search text.
      event.preventDefault();
      places.go({ query: '' });
    },
    '?': onHelp,
    n: (event) => {
      // The key must not be typed into the field that gets the focus.
      event.preventDefault();
      places.go(pagePlace(place, 'compose'));
    },
    c: copyId,
    l: () => places.go({ from: undefined, to: undefined }),
    Escape: () => {
      // The window of the search closes itself, once it is loaded.
      if (place.query !== undefined) places.go({ query: undefined });
      else if (place.open !== undefined) places.go({ open: undefined, tab: undefined });
    },
  };
}

/** Copies the id of the record that is shown, or else of the row that has the focus. */
function copyId(): void {
  const row = document.activeElement?.closest('tr');
  const place = document.querySelector('main article') ?? row;
  const named = place?.querySelector<HTMLElement>('[data-copy^="the id of"]');
  (named ?? place?.querySelector<HTMLElement>('[data-copy]'))?.click();
}
