import { CheckField, ChoiceField, TextField } from '../../actions/fields.js';
import { shortKey, useHeldKeys } from '../../actions/keys.js';
import { ownerText } from '../../api/owner-text.js';
import styles from './compose.module.css';
import type { DraftMessage } from './draft-message.js';
import type { Problems } from './problems.js';

interface Props {
  readonly draft: DraftMessage;
  readonly problems: Problems;
  readonly onChange: (change: Partial<DraftMessage>) => void;
}

/** The fields of a message other than its recipients and data. */
export function LabelsFields({ draft, problems, onChange }: Props) {
  return (
    <>
      <div className={styles.labels}>
        <TextField
          label="Topics"
          hint="Messages of a topic have the same order at all parties. Separate several with commas."
          placeholder="default"
          value={draft.topics}
          onChange={(topics) => onChange({ topics })}
          error={problems.topics}
        />
        <TextField
          label="Tag"
          hint="The purpose of the message, for the application."
          value={draft.tag}
          onChange={(tag) => onChange({ tag })}
          error={problems.tag}
        />
        <AuthorField value={draft.author} onChange={(author) => onChange({ author })} />
        <TextField
          label="Reply to"
          hint="The id of a message."
          value={draft.cid}
          onChange={(cid) => onChange({ cid: cid.trim() })}
          error={problems.cid}
        />
        <TextField
          label="Idempotency key"
          hint="The node refuses a second request with the same key."
          value={draft.idempotencyKey}
          onChange={(idempotencyKey) => onChange({ idempotencyKey })}
          error={problems.idempotencyKey}
        />
      </div>
      {draft.kind === 'private' && (
        <>
          <CheckField
            label="Unpinned"
            hint="faster, but not recorded on the chain and not ordered"
            isChecked={draft.isUnpinned}
            onChange={(isUnpinned) => onChange({ isUnpinned })}
          />
          <CheckField
            label="Wait for a reply"
            hint="the request returns when a recipient has replied; requires a tag"
            isChecked={draft.waitsForReply}
            onChange={(waitsForReply) => onChange({ waitsForReply })}
          />
        </>
      )}
    </>
  );
}

interface AuthorProps {
  readonly value: string;
  readonly onChange: (did: string) => void;
}

/** A list of the identities that this node can sign for. Each has one key. */
function AuthorField({ value, onChange }: AuthorProps) {
  const options = useHeldKeys().flatMap(({ key, owner }) => {
    if (owner === undefined) return [];
    return [[owner.parent === undefined ? '' : owner.did, `${ownerText(owner)} · ${shortKey(key)}`] as const];
  });
  const isKnown = options.some(([did]) => did === value);
  return (
    <ChoiceField
      label="Author"
      hint="This party or one of its custom identities, with its key."
      value={value}
      onChange={onChange}
      options={[...(isKnown ? [] : [[value, value === '' ? 'this party' : value] as const]), ...options]}
    />
  );
}
