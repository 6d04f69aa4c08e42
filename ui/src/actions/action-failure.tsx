import { UnreachableError } from '../../../src/client/errors.js';
import { Failure } from '../components/page/failure.js';

const kept = 'Nothing that you entered is lost.';
const uncertain =
  'The node may have taken the request in before the connection broke: look before you send it again. ' +
  'An idempotency key makes that safe.';

interface Props {
  readonly error: unknown;
}

/** The error of an action, beside the form that was sent. */
export function ActionFailure({ error }: Props) {
  const isUncertain = error instanceof UnreachableError && !error.isRefused;
  const advice = isUncertain ? `${kept} ${uncertain}` : kept;
  return <Failure error={error} advice={advice} />;
}
