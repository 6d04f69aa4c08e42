import { useRef } from 'react';
import type { TokenPool } from '../../../../src/wire/token.js';
import { useFlash } from '../../components/flash.js';
import { poolAmount, shortPoolAmount } from './amounts.js';

interface Props {
  readonly digits: string;
  readonly pool: Pick<TokenPool, 'type' | 'decimals'> | undefined;
  /** Whether it is in a column of a list, which is too narrow for a large amount. */
  readonly isShort?: boolean;
}

/**
 * An amount, with the digits of the smallest unit as tooltip. It is highlighted when it changes. A large amount in a
 * list is shortened to its magnitude, since a cell would cut its last digits. All digits are in its tooltip, and are
 * read by screen readers.
 */
export function PoolAmount({ digits, pool, isShort = false }: Props) {
  const element = useRef<HTMLSpanElement>(null);
  useFlash(element, digits);
  if (digits === '0')
    return (
      <span ref={element} className="muted">
        0
      </span>
    );
  const text = poolAmount(digits, pool);
  const short = isShort ? shortPoolAmount(digits, pool) : text;
  if (short !== text)
    return (
      <span ref={element} title={text} style={{ position: 'relative' }}>
        <span aria-hidden="true">{short}</span>
        <span className="visually-hidden">{text}</span>
      </span>
    );
  return (
    <span ref={element} title={(pool?.decimals ?? 0) > 0 ? `${digits} of the smallest unit` : digits}>
      {text}
    </span>
  );
}
