import { UnreachableError } from '../../../src/client/errors.js';
import { Failure } from '../components/page/failure.js';

const kept = 'Your input is kept.';
const uncertain =
  'The node may have accepted the request before the connection failed: check before you send it again. ' +
  'With an idempotency key it is safe to send it again.';

interface Props {
  readonly error: unknown;
}

/** The error of an action, with advice for the form that was sent. */
export function ActionFailure({ error }: Props) {
  const isUncertain = error instanceof UnreachableError && !error.isRefused;
  const advice = isUncertain ? `${kept} ${uncertain}` : kept;
  return <Failure error={error} advice={advice} />;
}
