import { useRead } from '../../api/read.js';
import { Failure } from '../../components/failure.js';
import { Id } from '../../components/id.js';
import { Json } from '../../components/json.js';
import { Link } from '../../components/link.js';
import { Facts, Section } from '../../components/section.js';
import { Skeleton } from '../../components/skeleton.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { recordSubject } from '../../live/invalidator.js';

/** An identity with its keys. */
export function IdentityRecord({ id }: { readonly id: string }) {
  const identity = useRead(recordSubject(id), ['identity'], (client, signal) =>
    client.getIdentity({ path: { iid: id }, query: { fetchverifiers: true }, signal }),
  );
  if (identity.data === undefined) {
    if (identity.error === null) return <Skeleton rows={6} />;
    const retry = () => void identity.refetch();
    return <Failure error={identity.error} request={`GET identities/${id}`} what="identity" onRetry={retry} />;
  }
  const { value, text } = identity.data;
  const { did, type, parent, description, verifiers = [] } = value;
  return (
    <article aria-label={`Identity ${id}`}>
      <Section title={value.name}>
        <Facts
          of={[
            ['DID', <Text key="did" value={did} />],
            ['Type', type],
            ['Id', <Id key="id" id={value.id} what="the id of the identity" isWhole />],
            ['Description', description === undefined ? undefined : <Text value={description} />],
            ['Belongs to', parent === undefined ? undefined : <IdentityLink id={parent} />],
            ['Created', <Time key="created" iso={value.created} />],
            ['Updated', <Time key="updated" iso={value.updated} />],
          ]}
        />
      </Section>
      <Section title="Keys">
        {verifiers.length === 0 && <p className="muted">None.</p>}
        <Facts
          of={verifiers.map((each) => [each.type, <Id key={each.value} id={each.value} what="the key" isWhole />])}
        />
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

function IdentityLink({ id }: { readonly id: string }) {
  return (
    <Link to={{ page: 'network', id: undefined, open: id }}>
      <code title={id}>{id.slice(0, 8)}</code>
    </Link>
  );
}
