import type { TokenPool } from '../../../../src/wire/token.js';
import { Tone } from '../../components/record/state.js';

export function PoolState({ pool: { active } }: { readonly pool: Pick<TokenPool, 'active'> }) {
  return active ? (
    <Tone tone="confirmed" icon="check" word="active" />
  ) : (
    <Tone tone="waiting" icon="waiting" word="pending" />
  );
}
