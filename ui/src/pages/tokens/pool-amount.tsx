import { useRef } from 'react';
import type { TokenPool } from '../../../../src/wire/token.js';
import { useFlash } from '../../components/flash.js';
import { poolAmount } from './amounts.js';

interface Props {
  readonly digits: string;
  readonly pool: Pick<TokenPool, 'type' | 'decimals'> | undefined;
}

/** An amount, with the digits of the smallest unit as tooltip. It is highlighted when it changes. */
export function PoolAmount({ digits, pool }: Props) {
  const element = useRef<HTMLSpanElement>(null);
  useFlash(element, digits);
  if (digits === '0')
    return (
      <span ref={element} className="muted">
        0
      </span>
    );
  return (
    <span ref={element} title={(pool?.decimals ?? 0) > 0 ? `${digits} of the smallest unit` : digits}>
      {poolAmount(digits, pool)}
    </span>
  );
}
