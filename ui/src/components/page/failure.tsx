import { ClientError, UnreachableError } from '../../../../src/client/errors.js';
import { CopyButton } from '../record/copy.js';
import styles from './failure.module.css';
import { Icon } from '../icon.js';
import { CodeNotFetchedError } from './on-demand.js';
import { useShown } from './shown-errors.js';
import { Text } from '../text/text.js';

interface Props {
  readonly error: unknown;
  /** The record that was asked for, for an answer that says that it is unknown. */
  readonly what?: string;
  /** Advice that is better than the one for the kind of the error. */
  readonly advice?: string;
  readonly onRetry?: () => void;
}

/** An error with advice, in the place of the content that could not be read. The rest of the page goes on. */
export function Failure(props: Props) {
  useShown(props.error);
  return <FailureBox {...props} />;
}

/** How an error looks, wherever it is shown. */
export function FailureBox({ error, what, onRetry, ...given }: Props) {
  const { title, text, request, retry = 'Try again', ...explained } = explain(error, what);
  const advice = given.advice ?? explained.advice;
  return (
    <div className={styles.failure} role="alert">
      <Icon name="warning" />
      <div className={styles.words}>
        <strong>{title}</strong>
        <p>
          <Text value={text} />
        </p>
        {advice !== undefined && <p className="muted">{advice}</p>}
        {request !== undefined && (
          <p className="muted">
            Asked: <code>{request}</code> <CopyButton text={request} what="the request" />
          </p>
        )}
        {onRetry !== undefined && (
          <button type="button" className="button" onClick={onRetry}>
            {retry}
          </button>
        )}
      </div>
    </div>
  );
}

interface Explanation {
  readonly title: string;
  readonly text: string;
  readonly advice?: string;
  readonly request?: string | undefined;
  /** The text of the button that tries again. */
  readonly retry?: string;
}

function explain(error: unknown, what: string | undefined): Explanation {
  if (error instanceof ClientError) {
    const { text, request } = error;
    const title = `The node answered ${error.status}${error.code === undefined ? '' : ` ${error.code}`}`;
    if (error.status === 401)
      return { title, text, request, advice: 'Load the page again: the browser then asks for your credential.' };
    if (error.status === 404 && what !== undefined) {
      const reasons = 'It may not be here yet, was deleted, or is of another namespace or party.';
      const advice = `This node has no such ${what}. ${reasons}`;
      return { title: `${what} not found`.replace(/^./, (first) => first.toUpperCase()), text, request, advice };
    }
    return { title, text, request };
  }
  if (error instanceof UnreachableError) {
    const { message: text, request } = error;
    return { title: 'The node does not answer', text, request, advice: 'The page reads again when the node is back.' };
  }
  if (error instanceof CodeNotFetchedError) {
    const advice = 'The connection to the node broke meanwhile, or the node has another version now.';
    const title = 'This part of the explorer could not be fetched';
    return { title, text: error.message, advice, retry: 'Load the page again' };
  }
  return { title: 'Something is wrong with this page', text: error instanceof Error ? error.message : String(error) };
}
