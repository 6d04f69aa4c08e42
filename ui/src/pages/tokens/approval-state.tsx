import type { TokenApproval } from '../../../../src/wire/token.js';
import { Tone } from '../../components/record/state.js';

/** Whether an operator may act, and whether a newer approval has replaced this one. */
export function ApprovalState({ approval: { approved, active } }: { readonly approval: TokenApproval }) {
  if (active === false) return <Tone tone="muted" icon="cancelled" word="replaced" />;
  return approved ? (
    <Tone tone="confirmed" icon="check" word="approved" />
  ) : (
    <Tone tone="rejected" icon="cross" word="revoked" />
  );
}
