import type { TokenApproval } from '../../../../src/wire/token.js';
import { Tone } from '../../components/record/state.js';

/** The state of an approval: approved, revoked, or replaced by a newer one. */
export function ApprovalState({ approval: { approved, active } }: { readonly approval: TokenApproval }) {
  if (active === false) return <Tone tone="muted" icon="cancelled" word="replaced" />;
  return approved ? (
    <Tone tone="confirmed" icon="check" word="approved" />
  ) : (
    <Tone tone="rejected" icon="cross" word="revoked" />
  );
}
