import { ClientError, UnreachableError } from '../../../../src/client/errors.js';
import { usePlace } from '../../api/explorer.js';
import { isInvalidId } from '../../api/missing.js';
import { CopyButton } from '../record/copy.js';
import styles from './failure.module.css';
import { Icon } from '../icon.js';
import { Link } from '../link.js';
import { CodeNotFetchedError } from './on-demand.js';
import { useShown } from './shown-errors.js';
import { Text } from '../text/text.js';

interface Props {
  readonly error: unknown;
  /** The kind of record that was read by its id, for a missing record or an invalid id. */
  readonly what?: string;
  /** Replaces the default advice for the error. */
  readonly advice?: string;
  readonly onRetry?: () => void;
}

/** An error with advice, in place of the content that could not be read. */
export function Failure(props: Props) {
  useShown(props.error);
  return <FailureBox {...props} />;
}

/** The view of an error. Unlike `Failure`, it does not register the error as shown. */
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
            Request: <code>{request}</code> <CopyButton text={request} what="the request" />
          </p>
        )}
        {hasInvalidId(error, what) ? (
          <BackToList />
        ) : (
          onRetry !== undefined && (
            <button type="button" className="button" onClick={onRetry}>
              {retry}
            </button>
          )
        )}
      </div>
    </div>
  );
}

/** Whether a record was read by an id of the URL that no record can have. */
function hasInvalidId(error: unknown, what: string | undefined): boolean {
  return what !== undefined && isInvalidId(error);
}

/** A link to the list without a record: next to it, or above it in the URL. */
function BackToList() {
  const { id = '', open } = usePlace();
  const list = open === undefined ? id.slice(0, Math.max(0, id.lastIndexOf('/'))) : id;
  return (
    <Link className="button" to={{ id: list === '' ? undefined : list, open: undefined, tab: undefined }}>
      Back to the list
    </Link>
  );
}

interface Explanation {
  readonly title: string;
  readonly text: string;
  readonly advice?: string;
  readonly request?: string | undefined;
  /** The label of the button that retries. */
  readonly retry?: string;
}

function explain(error: unknown, what: string | undefined): Explanation {
  if (error instanceof ClientError) {
    const { text, request } = error;
    const title = `The node answered ${error.status}${error.code === undefined ? '' : ` ${error.code}`}`;
    if (error.status === 401)
      return { title, text, request, advice: 'Reload the page: the browser then asks for your credentials.' };
    if (error.status === 404 && what !== undefined) {
      const reasons = 'It may not have arrived yet, was deleted, or belongs to another namespace or party.';
      const advice = `This node does not have this ${what}. ${reasons}`;
      return { title: `${what} not found`.replace(/^./, (first) => first.toUpperCase()), text, request, advice };
    }
    if (hasInvalidId(error, what))
      return { title: 'Invalid id', text, advice: 'The id in the address of this page is incomplete or mistyped.' };
    return { title, text, request };
  }
  if (error instanceof UnreachableError) {
    const { message: text, request } = error;
    return { title: 'The node does not answer', text, request, advice: 'The page updates when the node is back.' };
  }
  if (error instanceof CodeNotFetchedError) {
    const advice = 'The connection to the node failed, or the node now runs another version.';
    const title = 'This part of the explorer could not be loaded';
    return { title, text: error.message, advice, retry: 'Reload the page' };
  }
  return { title: 'Something went wrong on this page', text: error instanceof Error ? error.message : String(error) };
}
