import { useRead } from '../../api/read.js';
import { CopyButton } from '../../components/record/copy.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { Definitions } from './definitions.js';
import { SampleBox } from './sample-box.js';
import { Usage } from './usage.js';
import { Versions } from './versions.js';

/** A version of a datatype: its schema, compared with another version, its use, and its definitions. */
export function DatatypeRecord({ id }: { readonly id: string }) {
  const datatype = useRead('datatypes', ['one', id], (client, signal) =>
    client.getDatatypeById({ path: { datatypeid: id }, signal }),
  );
  if (datatype.data === undefined) {
    if (datatype.error === null) return <Skeleton rows={8} />;
    const retry = () => void datatype.refetch();
    return <Failure error={datatype.error} what="datatype" onRetry={retry} />;
  }
  const { value, text } = datatype.data;
  return (
    <article aria-label={`Datatype ${value.name}@${value.version}`}>
      <Section title="About" actions={<CopyButton text={text} what="the datatype" label="Copy JSON" />}>
        <Facts
          of={[
            ['Name', <Text key="name" value={value.name} />],
            ['Version', <Text key="version" value={value.version} />],
            ['Id', <Id key="id" id={value.id} what="the id of the datatype" />],
            ['Hash', <Id key="hash" id={value.hash} what="the hash of the schema" />],
            ['Confirmed', value.created === undefined ? undefined : <Time iso={value.created} />],
          ]}
        />
      </Section>
      <Usage datatype={value} />
      <Versions datatype={value} />
      <SampleBox datatype={value} />
      <Definitions name={value.name} version={value.version} />
    </article>
  );
}
