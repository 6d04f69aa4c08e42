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
import type { FlowStep, FlowLane } from './flow-lanes.js';

interface Props {
  readonly progress: Progress;
  readonly lanes: readonly FlowLane[];
  readonly chosen: FlowStep | undefined;
  readonly joined: JoinedRecord | undefined;
}

/** The selected step, and what the message waits for. */
export function FlowStepView({ progress, lanes, chosen, joined }: Props) {
  const named = useNodeNames();
  const lane = lanes.find(({ steps }) => steps.some(({ key }) => key === chosen?.key));
  return (
    <>
      {chosen !== undefined && lane !== undefined && (
        <Section title={stepTitles[chosen.step]}>
          <Facts
            of={[
              ['Lane', <Text key="lane" value={lane.title} />],
              ['Time', <StepTime key="time" step={chosen} />],
              ['State', lane.state],
              ['Details', chosen.info === undefined ? undefined : <Text value={named(chosen.info)} />],
              ['Source', lane.isJoined ? 'node of this party (local development view)' : 'this node'],
            ]}
          />
        </Section>
      )}
      {progress.waits.length > 0 && (
        <Section title="Waiting for">
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
      {joined !== undefined && <OtherParties joined={joined} />}
    </>
  );
}

function StepTime({ step: { time, isCancelled } }: { readonly step: FlowStep }) {
  if (time !== undefined) return <ClockTime iso={time} />;
  return isCancelled ? 'never: the message was cancelled' : 'not yet';
}

/** The waits of the message at other parties. */
function OtherParties({ joined }: { readonly joined: JoinedRecord }) {
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
        {silent.length > 0 && <p>No answer from {silent.map(({ party }) => party).join(', ')}</p>}
      </Joined>
    </Section>
  );
}
