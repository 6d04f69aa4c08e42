import { useState } from 'react';
import { useExplorer, usePlace } from '../api/explorer.js';
import { Icon } from '../components/icon.js';
import { Menu } from '../components/page/menu.js';
import { Text } from '../components/text/text.js';
import { Connection } from './connection.js';
import styles from './shell.module.css';
import { applyTheme, storedTheme, type Theme, themes } from './theme.js';
import { TimeRange } from './time-range.js';

interface Props {
  readonly onHelp: () => void;
  readonly onDrawer: () => void;
}

/** The party, namespace and time range, the search, and the state of the connection. */
export function TopBar({ onHelp, onDrawer }: Props) {
  return (
    <header className={styles.bar}>
      <button type="button" className={`button plain ${styles.drawerButton}`} aria-label="Pages" onClick={onDrawer}>
        <Icon name="menu" />
      </button>
      <PartySwitch />
      <NamespaceSwitch />
      <TimeRange />
      <SearchButton />
      <span className={styles.spring} />
      <Connection />
      <ThemeSwitch />
      <button type="button" className="button plain" aria-label="Keyboard and settings" title="?" onClick={onHelp}>
        <Icon name="help" />
      </button>
    </header>
  );
}

function SearchButton() {
  const { places } = useExplorer();
  return (
    <button
      type="button"
      className={`button ${styles.search}`}
      aria-label="Search"
      title="Search (/)"
      onClick={() => places.go({ query: '' })}
    >
      <Icon name="search" />
      <span>Search</span>
      <kbd aria-hidden="true">/</kbd>
    </button>
  );
}

function PartySwitch() {
  const { config } = useExplorer();
  const place = usePlace();
  const others = config.parties.filter(({ name }) => name !== config.party);
  if (others.length === 0)
    return (
      <strong className={styles.party}>
        <Text value={config.party} />
      </strong>
    );
  return (
    <Menu
      label={<Text value={config.party} />}
      name={`Party: ${config.party}`}
      icon="party"
      items={config.parties.map(({ name, url }) => ({
        key: name,
        label: <Text value={name} />,
        href: `${url}/ui/${encodeURIComponent(place.ns)}/${encodeURIComponent(place.page)}`,
        isCurrent: name === config.party,
      }))}
    />
  );
}

function NamespaceSwitch() {
  const { config, places } = useExplorer();
  const place = usePlace();
  return (
    <Menu
      label={<Text value={place.ns} />}
      name={`Namespace: ${place.ns}`}
      icon="namespace"
      items={config.namespaces.map((name) => ({
        key: name,
        label: <Text value={name} />,
        isCurrent: name === place.ns,
        onChoose: () => places.go({ ns: name, id: undefined, open: undefined, tab: undefined }),
      }))}
    />
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <Menu
      label={<span className="visually-hidden">Theme</span>}
      name={`Theme: ${theme}`}
      icon="theme"
      isPlain
      items={themes.map((each) => ({
        key: each,
        label: `${each.slice(0, 1).toUpperCase()}${each.slice(1)}`,
        isCurrent: each === theme,
        onChoose: () => choose(each),
      }))}
    />
  );
}
