import type { Progress } from '../../../../src/wire/messages/progress.js';
import type { JoinedRecord } from '../../../../src/wire/network/stack-view.js';
import { useExplorer } from '../../api/explorer.js';
import { useNodeNames } from '../../api/node-names.js';
import { Author } from '../../components/record/author.js';
import { Joined } from '../../components/record/joined.js';
import { Facts, Section } from '../../components/page/section.js';
import { Text } from '../../components/text/text.js';
import { ClockTime, Time } from '../../components/text/time.js';
import { adviceFor, stepTitles } from '../../../../src/wire/messages/progress-texts.js';
import type { Station, WayLane } from './way.js';

interface Props {
  readonly progress: Progress;
  readonly lanes: readonly WayLane[];
  readonly chosen: Station | undefined;
  readonly joined: JoinedRecord | undefined;
}

/** The station that is looked at, and what the message waits for. */
export function StationView({ progress, lanes, chosen, joined }: Props) {
  const named = useNodeNames();
  const lane = lanes.find(({ stations }) => stations.some(({ key }) => key === chosen?.key));
  return (
    <>
      {chosen !== undefined && lane !== undefined && (
        <Section title={stepTitles[chosen.step]}>
          <Facts
            of={[
              ['Where', <Text key="lane" value={lane.title} />],
              ['When', <When key="when" station={chosen} />],
              ['State', lane.state],
              ['Details', chosen.info === undefined ? undefined : <Text value={named(chosen.info)} />],
              ['Told by', lane.isJoined ? 'the node of that party: local development view' : 'this node'],
            ]}
          />
        </Section>
      )}
      {progress.waits.length > 0 && (
        <Section title="What it waits for here">
          {progress.waits.map((wait, index) => (
            <p key={index}>
              <Text value={wait.detail} />{' '}
              <span className="muted">
                Since <Time iso={wait.since} />. {adviceFor(wait)}
              </span>
            </p>
          ))}
        </Section>
      )}
      {joined !== undefined && <Elsewhere joined={joined} />}
    </>
  );
}

function When({ station: { time, isCancelled } }: { readonly station: Station }) {
  if (time !== undefined) return <ClockTime iso={time} />;
  return isCancelled ? 'given up: the message was cancelled' : 'not yet';
}

/** The waits of the message at the other parties, as far as ids and reasons say them. */
function Elsewhere({ joined }: { readonly joined: JoinedRecord }) {
  const { config } = useExplorer();
  const others = joined.parties.filter(({ party }) => party !== config.party);
  const waiting = others.filter(({ waits, answer }) => answer === 'held' && waits.length > 0);
  const silent = others.filter(({ answer }) => answer === 'unknown');
  if (waiting.length === 0 && silent.length === 0) return null;
  return (
    <Section title="At other parties">
      <Joined>
        {waiting.map(({ party, waits }) => (
          <p key={party}>
            <Text value={party} /> waits for{' '}
            {waits.map(({ on, since, author }, index) => (
              <span key={index}>
                {index > 0 && ', '}
                {on}
                {author !== undefined && (
                  <>
                    {' '}
                    of <Author did={author} />
                  </>
                )}{' '}
                <span className="muted">
                  since <Time iso={since} />
                </span>
              </span>
            ))}
          </p>
        ))}
        {silent.length > 0 && <p>Does not answer: {silent.map(({ party }) => party).join(', ')}</p>}
      </Joined>
    </Section>
  );
}
