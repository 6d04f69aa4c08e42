import type { Datatype } from '../../../../src/wire/data/datatype.js';
import { useRead } from '../../api/read.js';
import { usePlace } from '../../api/explorer.js';
import { Failure } from '../../components/page/failure.js';
import { Link } from '../../components/link.js';
import { Facts, Section } from '../../components/page/section.js';
import { pagePlace } from '../../url/place.js';
import { countOf } from '../../api/count.js';

/** The number of data items that use a datatype, and of messages rejected because a value did not conform. */
export function Usage({ datatype: { name, version } }: { readonly datatype: Datatype }) {
  const place = usePlace();
  const used = [`datatype.name==${name}`, `datatype.version==${version}`];
  const rejected = ['state=rejected', `rejectreason=@to the datatype ${name}@${version}:`];
  const counts = useRead('messages', ['datatype counts', name, version], async (client, signal) => {
    const [items, messages] = await Promise.all([
      countOf(client, `data?${queryOf(used)}`, signal),
      countOf(client, `messages?${queryOf(rejected)}`, signal),
    ]);
    return { items, messages };
  });
  const { data } = counts;
  return (
    <Section title="Usage">
      {counts.error !== null && <Failure error={counts.error} onRetry={() => void counts.refetch()} />}
      {data !== undefined && (
        <Facts
          of={[
            [
              'Used by',
              <Link key="used" to={pagePlace(place, 'data', { filters: used })}>
                {counted(data.items, 'data item')}
              </Link>,
            ],
            [
              'Rejected',
              <Link key="rejected" to={pagePlace(place, 'messages', { filters: rejected })}>
                {counted(data.messages, 'message')}
              </Link>,
            ],
          ]}
        />
      )}
    </Section>
  );
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Converts filters of the URL to a query string. */
function queryOf(filters: readonly string[]): string {
  const pairs = filters.map((filter): [string, string] => {
    const at = filter.indexOf('=');
    return [filter.slice(0, at), filter.slice(at + 1)];
  });
  return new URLSearchParams(pairs).toString();
}
