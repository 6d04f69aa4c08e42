import { useHeldKeys } from '../../actions/keys.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Link } from '../../components/link.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { recordSubject } from '../../live/invalidator.js';
import { IdentityChangeButton } from './identity-change.js';

export function IdentityRecord({ id }: { readonly id: string }) {
  const own = useOwnOrganization();
  const identity = useRead(recordSubject(id), ['identity'], (client, signal) =>
    client.getIdentity({ path: { iid: id }, query: { fetchverifiers: true }, signal }),
  );
  if (identity.data === undefined) {
    if (identity.error === null) return <Skeleton rows={6} />;
    const retry = () => void identity.refetch();
    return <Failure error={identity.error} what="identity" onRetry={retry} />;
  }
  const { value, text } = identity.data;
  const { did, type, parent, description, profile, verifiers = [], messages } = value;
  const isOwn = own !== undefined && (value.id === own || parent === own);
  return (
    <article aria-label={`Identity ${id}`}>
      <Section title={value.name} actions={isOwn && <IdentityChangeButton identity={value} />}>
        <Facts
          of={[
            ['DID', <Text key="did" value={did} />],
            ['Type', type],
            ['Id', <Id key="id" id={value.id} what="the id of the identity" isWhole />],
            ['Description', description === undefined ? undefined : <Text value={description} />],
            ['Parent', parent === undefined ? undefined : <IdentityLink id={parent} />],
            ['Created', <Time key="created" iso={value.created} />],
            ['Updated', <Time key="updated" iso={value.updated} />],
            ['Verified by', 'the registry on the chain'],
            [
              'Last change',
              messages.update === null ? undefined : <Id id={messages.update} what="the message of the change" />,
            ],
          ]}
        />
      </Section>
      {profile !== undefined && (
        <Section title="Profile">
          <Json text={profile} what="the profile" />
        </Section>
      )}
      <Section title="Keys">
        {verifiers.length === 0 && <p className="muted">No keys.</p>}
        <Facts of={verifiers.map((each) => [each.type, <Key key={each.value} value={each.value} />])} />
      </Section>
      {type !== 'node' && (
        <Section title="Messages">
          <Link to={{ page: 'messages', id: undefined, open: undefined, filters: [`author=${did}`] }}>
            Messages of this author
          </Link>
        </Section>
      )}
      <Section title="As served">
        <Json text={text} what="the identity" />
      </Section>
    </article>
  );
}

/** A key of an identity, with a note if this node holds it. */
function Key({ value }: { readonly value: string }) {
  const isHeld = useHeldKeys().some(({ key }) => key === value.toLowerCase());
  return (
    <>
      <Id id={value} what="the key" isWhole /> {isHeld && <span className="muted">held by this node</span>}
    </>
  );
}

/** Reads the id of this node's organisation; undefined if it is not registered. */
function useOwnOrganization(): string | undefined {
  const status = useRead('status', [], (client, signal) => client.getStatus({ signal }));
  return status.data?.value.org.id;
}

function IdentityLink({ id }: { readonly id: string }) {
  return (
    <Link to={{ page: 'network', id: undefined, open: id }}>
      <code title={id}>{id.slice(0, 8)}</code>
    </Link>
  );
}
