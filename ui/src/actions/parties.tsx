import { useState } from 'react';
import { readPage } from '../../../src/client/page.js';
import type { Identity } from '../../../src/wire/identities/identity.js';
import { useExplorer } from '../api/explorer.js';
import { useRead } from '../api/read.js';
import { Failure } from '../components/page/failure.js';
import { Skeleton } from '../components/page/skeleton.js';
import { Text } from '../components/text/text.js';
import styles from './actions.module.css';
import { CheckField } from './fields.js';

const maxParties = 1_000;
/** The number of parties from which on a search field is shown. */
const searchedFrom = 9;

/** Reads the organisations of the network, this node's first, the others by name. */
export function useParties() {
  const { config } = useExplorer();
  const read = useRead('identities', ['parties'], (client, signal) =>
    readPage(client, 'listOrganizations', [['limit', String(maxParties)]], signal),
  );
  const organizations = read.data?.entries.map(({ value }) => value);
  const parties = organizations?.toSorted((left, right) => {
    if (left.name === config.party) return -1;
    if (right.name === config.party) return 1;
    return left.name < right.name ? -1 : 1;
  });
  return { parties, error: read.error, retry: () => void read.refetch() };
}

interface ManyProps {
  readonly label: string;
  /** Names of the selected organisations. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Leaves out this node's organisation. */
  readonly isOthersOnly?: boolean;
  readonly error?: string | undefined;
}

/** Checkboxes for the organisations of the network. */
export function PartiesField({ label, chosen, onChange, isOthersOnly = false, error }: ManyProps) {
  const { config } = useExplorer();
  const { parties, error: failure, retry } = useParties();
  const [search, setSearch] = useState('');
  const listed = parties?.filter(({ name }) => !isOthersOnly || name !== config.party);
  const shown = listed?.filter(({ name }) => chosen.includes(name) || name.includes(search));
  const toggle = ({ name }: Identity, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, name] : chosen.filter((each) => each !== name));
  return (
    <fieldset className={styles.parties}>
      <legend>{label}</legend>
      {failure !== null && parties === undefined && <Failure error={failure} onRetry={retry} />}
      {parties === undefined && failure === null && <Skeleton rows={2} />}
      {listed !== undefined && listed.length >= searchedFrom && (
        <input
          className="field"
          type="search"
          aria-label="Search parties"
          placeholder="Search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      {listed?.length === 0 && <p className="muted">No other organisation is registered yet.</p>}
      <div className={styles.partyList}>
        {shown?.map((party) => (
          <CheckField
            key={party.id}
            label={<Text value={party.name} />}
            isChecked={chosen.includes(party.name)}
            onChange={(isChosen) => toggle(party, isChosen)}
          />
        ))}
      </div>
      {error !== undefined && <p className={styles.problem}>{error}</p>}
    </fieldset>
  );
}
