import { readPage } from '../../../../src/client/page.js';
import type { Group } from '../../../../src/wire/messages/group.js';
import { TextField } from '../../actions/fields.js';
import { PartiesField, useParties } from '../../actions/parties.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { Link } from '../../components/link.js';
import { pagePlace } from '../../url/place.js';
import styles from './compose.module.css';
import type { DraftMessage } from './draft-message.js';
import { recipientsOf } from './recipients.js';

interface Props {
  readonly draft: DraftMessage;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<DraftMessage>) => void;
}

const maxGroups = 1_000;

/** The recipients of a private message, and the group that they form. */
export function RecipientsField({ draft, problem, onChange }: Props) {
  const groups = useRead('groups', ['known'], (client, signal) =>
    readPage(client, 'listGroups', [['limit', String(maxGroups)]], signal),
  );
  const known = groups.data?.entries.map(({ value }) => value) ?? [];
  if (draft.group !== '') {
    const group = known.find(({ hash }) => hash === draft.group);
    return (
      <div className={styles.group}>
        <p>
          To the group <GroupLink hash={draft.group} />
          {group !== undefined && <Members group={group} />}
        </p>
        <button type="button" className="button" onClick={() => onChange({ group: '' })}>
          Select parties instead
        </button>
      </div>
    );
  }
  return (
    <>
      <PartiesField
        label="Recipients"
        chosen={draft.recipients}
        isOthersOnly
        onChange={(recipients) => onChange({ recipients })}
        error={problem}
      />
      <TextField
        label="Other recipients"
        hint="Identities by DID or key, separated by commas."
        value={draft.others}
        onChange={(others) => onChange({ others })}
      />
      <ResultingGroup draft={draft} known={known} />
    </>
  );
}

/** The group of the recipients and the author. */
function ResultingGroup({ draft, known }: { readonly draft: DraftMessage; readonly known: readonly Group[] }) {
  const { config } = useExplorer();
  const { parties = [] } = useParties();
  const names = recipientsOf(draft);
  if (names.length === 0) return null;
  const didOf = (name: string) => parties.find((party) => party.name === name)?.did ?? name;
  const dids = new Set([config.party, ...names].map(didOf));
  const found = known.find(
    ({ name, members }) =>
      name === '' && members.length === dids.size && members.every(({ identity }) => dids.has(identity)),
  );
  return (
    <p className="muted" role="status">
      {found === undefined ? 'New group: ' : 'Existing group: '}
      {[...dids].map((did, index) => (
        <span key={did}>
          {index > 0 && ', '}
          <Author did={did} />
        </span>
      ))}
      {found !== undefined && (
        <>
          {' '}
          · <GroupLink hash={found.hash} />
        </>
      )}
    </p>
  );
}

function GroupLink({ hash }: { readonly hash: string }) {
  const place = usePlace();
  return (
    <Link to={pagePlace(place, 'groups', { open: hash })}>
      <code title={hash}>{hash.slice(0, 8)}</code>
    </Link>
  );
}

function Members({ group }: { readonly group: Group }) {
  return (
    <span>
      {': '}
      {group.members.map(({ identity, node }, index) => (
        <span key={`${identity} ${node}`}>
          {index > 0 && ', '}
          <Author did={identity} />
        </span>
      ))}
    </span>
  );
}
