import { useState } from 'react';
import { readPage } from '../../../../src/client/page.js';
import { Identity } from '../../../../src/wire/identities/identity.js';
import { valueOf } from '../../../../src/wire/json/json.js';
import type { JsonText } from '../../../../src/wire/scalar.js';
import { ActionForm } from '../../actions/action-form.js';
import { AreaField, ChoiceField, TextField } from '../../actions/fields.js';
import { useHeldKeys } from '../../actions/keys.js';
import { More } from '../../actions/more.js';
import { OperationActions } from '../../actions/operations/operation-actions.js';
import { OperationState } from '../../actions/operations/operation-state.js';
import { useAction } from '../../actions/use-action.js';
import { useFields } from '../../actions/use-fields.js';
import { useProblems } from '../../actions/use-problems.js';
import { useExplorer } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Tone } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { identityAction, judgeIdentity } from './identity-action.js';
import styles from './network.module.css';

const initial = { name: '', description: '', profile: '', key: '', idempotencyKey: '' };

/** The form that registers a custom identity of this party. */
export function IdentityForm({ onClose }: { readonly onClose: () => void }) {
  const { values, set, reset } = useFields('create identity', initial);
  const run = useAction(Identity, 'identities');
  const [made, setMade] = useState<Identity | undefined>(undefined);
  const { of, tried, forget } = useProblems(values, judgeIdentity(values));
  if (made !== undefined) return <Registered identity={made} onClose={onClose} onAgain={() => setMade(undefined)} />;
  const done = (identity: Identity) => {
    setMade(identity);
    reset();
    forget();
  };
  return (
    <ActionForm action={identityAction(values)} run={run} submit="Create" onDone={done} onTried={tried}>
      <TextField
        label="Name"
        hint="The DID is did:parley:NAME. All parties see it."
        value={values.name}
        onChange={set('name')}
        error={of('name')}
        hasFocus
      />
      <TextField label="Description" value={values.description} onChange={set('description')} />
      <More>
        <AreaField
          label="Profile"
          hint="A JSON object with more information for other parties."
          value={values.profile}
          onChange={set('profile')}
          error={of('profile')}
        />
        <FreeKeyField value={values.key} onChange={set('key')} error={of('key')} />
        <TextField
          label="Idempotency key"
          hint="The node refuses a second request with the same key."
          value={values.idempotencyKey}
          onChange={set('idempotencyKey')}
        />
      </More>
    </ActionForm>
  );
}

interface FreeKeyProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** A list of the node's keys that have no identity yet. */
function FreeKeyField({ value, onChange, error }: FreeKeyProps) {
  const free = useHeldKeys().filter(({ owner }) => owner === undefined);
  const isKnown = value === '' || free.some(({ key }) => key === value);
  return (
    <ChoiceField
      label="Key"
      value={value}
      onChange={onChange}
      error={error}
      hint={free.length === 0 ? 'All keys of this node have an identity.' : 'A key belongs to one identity.'}
      options={[
        ['', 'a new key'],
        ...free.map(({ key }) => [key, key] as const),
        ...(isKnown ? [] : [[value, value] as const]),
      ]}
    />
  );
}

interface RegisteredProps {
  readonly identity: Identity;
  readonly onClose: () => void;
  readonly onAgain: () => void;
}

/** The progress of a registration. */
function Registered({ identity: { id, did, name }, onClose, onAgain }: RegisteredProps) {
  const { places } = useExplorer();
  const found = useRead('identities', ['made', id], (client, signal) =>
    readPage(client, 'listIdentities', [['id', id]], signal),
  );
  const isThere = found.data !== undefined && found.data.entries.length > 0;
  return (
    <div className={styles.registered} role="status">
      <p>
        <Text value={did} />{' '}
        {isThere ? (
          <Tone tone="confirmed" icon="check" word="confirmed" />
        ) : (
          <Tone tone="waiting" icon="waiting" word="waiting for the chain" />
        )}
      </p>
      {!isThere && <Registration name={name} />}
      {found.error !== null && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      <p className={styles.buttons}>
        {isThere && (
          <button
            type="button"
            className="button primary"
            onClick={() => {
              onClose();
              places.go({ open: id });
            }}
          >
            Open
          </button>
        )}
        <button type="button" className="button" onClick={onAgain}>
          Create another
        </button>
      </p>
    </div>
  );
}

/** The polling interval of the registration. Its failure has no event. */
const stepMs = 1_000;

/** The operation that registers an identity, if it has failed. */
function Registration({ name }: { readonly name: string }) {
  const found = useRead(
    'operations',
    ['registrations'],
    (client, signal) => {
      const where = [
        ['type', 'blockchain_register_identity'],
        ['limit', '50'],
      ] as const;
      return readPage(client, 'listOperations', where, signal);
    },
    { pollMs: () => stepMs },
  );
  const own = found.data?.entries.find(({ value: { input } }) => nameIn(input) === name)?.value;
  if (own?.status !== 'Failed') return null;
  return (
    <p>
      <OperationState status={own.status} /> <Text value={own.error ?? ''} /> <OperationActions operation={own} />
    </p>
  );
}

/** The name in the input of a registration. */
function nameIn(input: JsonText | undefined): unknown {
  const value: unknown = input === undefined ? undefined : valueOf(input);
  return value instanceof Object ? Reflect.get(value, 'name') : undefined;
}
