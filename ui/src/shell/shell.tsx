import { useEffect, useState, useSyncExternalStore } from 'react';
import { useConnection, useExplorer, usePlace } from '../api/explorer.js';
import { onDemand } from '../components/page/on-demand.js';
import { pages } from '../pages.js';
import { pagePlace, type Place } from '../url/place.js';
import type { Places } from '../url/places.js';
import { Banner } from './banner.js';
import { Boundary } from './boundary.js';
import { HelpSheet } from './help-sheet.js';
import { whenIdle } from './idle.js';
import { type Keys, useKeys } from './keys.js';
import { Rail } from './rail.js';
import styles from './shell.module.css';
import { TopBar } from './top-bar.js';

const search = onDemand(async () => (await import('../search/search-dialog.js')).SearchDialog, 0);

/** The layout around every page. */
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
  useCodeAhead();
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
          <Boundary key={`${place.page} ${place.id ?? ''}`}>{page && <page.page.Component key={page.name} />}</Boundary>
        </main>
      </div>
      {place.query !== undefined && (
        <Boundary>
          <search.Component />
        </Boundary>
      )}
      <HelpSheet isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

/** Preloads the code of every page while the browser is idle, so that pages open at once and without the node. */
function useCodeAhead(): void {
  const isLive = useConnection().connection === 'live';
  useEffect(() => {
    if (!isLive) return;
    const waiting = [search, ...pages.map(({ page }) => page)].values();
    let cancel = () => {};
    let isLeft = false;
    const next = () => {
      const { value } = waiting.next();
      // A failed page is fetched again when it is shown, which then reports the error.
      if (value !== undefined) value.fetchCode().then(plan, plan);
    };
    const plan = () => {
      if (!isLeft) cancel = whenIdle(next, window);
    };
    plan();
    return () => {
      isLeft = true;
      cancel();
    };
  }, [isLive]);
}

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

/** The shortcuts that work on every page. */
function keysOf(place: Place, places: Places, onHelp: () => void): Keys {
  const jumps = pages.map(({ name, key }) => [`g ${key}`, () => places.go(pagePlace(place, name))] as const);
  return {
    ...Object.fromEntries(jumps),
    '/': (event) => {
      // Keeps the key out of the search text.
      event.preventDefault();
      places.go({ query: '' });
    },
    '?': onHelp,
    n: (event) => {
      // Keeps the key out of the field that gets the focus.
      event.preventDefault();
      places.go(pagePlace(place, 'compose'));
    },
    c: copyId,
    l: () => places.go({ from: undefined, to: undefined }),
    Escape: () => {
      // Needed only while the search dialog is loading; then it handles Escape itself.
      if (place.query !== undefined) places.go({ query: undefined });
      else if (place.open !== undefined) places.go({ open: undefined, tab: undefined });
    },
  };
}

/** Copies the id of the open record, otherwise of the focused row. */
function copyId(): void {
  const row = document.activeElement?.closest('tr');
  const place = document.querySelector('main article') ?? row;
  const named = place?.querySelector<HTMLElement>('[data-copy^="the id of"]');
  (named ?? place?.querySelector<HTMLElement>('[data-copy]'))?.click();
}
