import type { ReactNode } from 'react';
import { isFinal } from '../../../../src/client/wait.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import type { Progress, Wait } from '../../../../src/wire/messages/progress.js';
import { useOperationsOf } from '../../actions/operations/of-message.js';
import { useNodeNames } from '../../api/node-names.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { Failure } from '../../components/page/failure.js';
import { Icon } from '../../components/icon.js';
import { Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { stepIcon } from '../../components/record/step-icon.js';
import { Text } from '../../components/text/text.js';
import { ClockTime, Time } from '../../components/text/time.js';
import { spanText } from '../../components/text/time-text.js';
import { recordSubject } from '../../live/invalidator.js';
import { type Explanation, explain, stepTitles } from '../../../../src/wire/messages/progress-texts.js';
import { nodeNow } from '../../api/node-clock.js';
import { MessageLink } from './message-link.js';
import styles from './messages.module.css';

const fastPollMs = 1_000;
const slowPollMs = 10_000;
const fastForMs = 60_000;

/** The polling interval of the steps of a message, most of which have no event. It is longer for old messages. */
function pollMsOf(message: Message): number | undefined {
  if (isFinal(message)) return undefined;
  return nodeNow() - Date.parse(message.header.created) < fastForMs ? fastPollMs : slowPollMs;
}

/** The steps of a message, and what it waits for. */
export function ProgressView({ message }: { readonly message: Message }) {
  const { id } = message.header;
  const progress = useRead(
    recordSubject(id),
    ['progress', message.state],
    (client, signal) => client.getMessageProgress({ path: { msgid: id }, signal }),
    { pollMs: () => pollMsOf(message) },
  );
  if (progress.data === undefined)
    return (
      <Section title="Progress">
        {progress.error === null ? (
          <Skeleton rows={6} />
        ) : (
          <Failure error={progress.error} onRetry={() => void progress.refetch()} />
        )}
      </Section>
    );
  const explanation = explain(message, progress.data.value);
  return (
    <Section title="Progress">
      {explanation !== undefined && (
        <Why explanation={explanation} isFinal={message.state !== 'ready'}>
          {message.state === 'cancelled' && <Failed message={message} />}
        </Why>
      )}
      <Steps progress={progress.data.value} />
    </Section>
  );
}

function Steps({ progress: { steps, missing, state } }: { readonly progress: Progress }) {
  const named = useNodeNames();
  const [first] = steps;
  const isCancelled = state === 'cancelled';
  return (
    <ol className={styles.steps}>
      {steps.map(({ step, time, info }) => (
        <li key={step} className={styles.step} data-done={time !== undefined} data-next={step === missing}>
          <Icon name={stepIcon({ isDone: time !== undefined, isNext: step === missing, isCancelled })} />
          <span>
            {stepTitles[step]}
            {info !== undefined && (
              <span className="muted caption">
                {' '}
                <Text value={named(info)} />
              </span>
            )}
          </span>
          {time !== undefined && <StepTime time={time} first={first?.time} />}
          {time === undefined && isCancelled && <span className="muted">will not follow</span>}
        </li>
      ))}
    </ol>
  );
}

function StepTime({ time, first }: { readonly time: string; readonly first: string | undefined }) {
  const afterMs = first === undefined ? 0 : Date.parse(time) - Date.parse(first);
  return (
    <span>
      {afterMs > 0 && <span className="muted">+{spanText(afterMs)} </span>}
      <ClockTime iso={time} />
    </span>
  );
}

interface WhyProps {
  readonly explanation: Explanation;
  readonly isFinal: boolean;
  readonly children: ReactNode;
}

function Why({ explanation: { title, sentence, waits }, isFinal, children }: WhyProps) {
  return (
    <div className={styles.why} data-final={isFinal}>
      <strong>{title}</strong>
      <p>{sentence}</p>
      {children}
      {waits.length > 0 && (
        <ul>
          {waits.map(({ wait, advice }, index) => (
            <li key={index}>
              <WaitView wait={wait} />
              <p className="muted">{advice}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The failed operation because of which a message was cancelled. */
function Failed({ message }: { readonly message: Message }) {
  const operations = useOperationsOf(message).data?.entries.map(({ value }) => value) ?? [];
  const failed = operations.find(({ status }) => status === 'Failed');
  if (failed?.error === undefined) return null;
  return (
    <p>
      <Text value={failed.type} /> has failed: <Text value={failed.error} />
    </p>
  );
}

function WaitView({ wait: { detail, since, message, author, context } }: { readonly wait: Wait }) {
  return (
    <>
      <p>
        <Text value={detail} />
      </p>
      <p className="muted">
        Since <Time iso={since} />
        {context?.topic !== undefined && (
          <>
            {' '}
            · topic <Text value={context.topic} />
          </>
        )}
        {author !== undefined && (
          <>
            {' '}
            · from <Author did={author} />
          </>
        )}
        {message !== undefined && (
          <>
            {' '}
            · message <MessageLink id={message} />
          </>
        )}
      </p>
    </>
  );
}
